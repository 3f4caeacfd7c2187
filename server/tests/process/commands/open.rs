//! `hitode open`.

use std::os::unix::fs::PermissionsExt;

use test_support::process::directory;

use super::{Call, file};

#[test]
fn the_console_is_opened_and_the_token_is_in_no_address() {
    let place = directory();
    let said = place.path().join("said");
    let opener = file(
        place.path(),
        "xdg-open",
        format!("#!/bin/sh\necho \"$@\" > {}\n", said.display()),
    );
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("it may run");
    let open = |path: &str| {
        let call = Call::from_line("open --url https://work.example.com/hitode/");
        call.variable("PATH", path)
            .variable("HITODE_OPERATOR_TOKEN", "hto_secret")
            .run()
            .well()
            .out
    };
    let address = "https://work.example.com/hitode/console/";
    let printed = open(&format!("{}:/usr/bin:/bin", place.path().display()));
    assert!(
        printed.starts_with(address) && printed.contains("is open") && !printed.contains("hto_"),
        "{printed}"
    );
    assert_eq!(std::fs::read_to_string(&said).expect("it was called").trim(), address);
    let printed = open("/nowhere");
    assert!(
        printed.starts_with(address) && printed.contains("is for a browser"),
        "{printed}"
    );
}
