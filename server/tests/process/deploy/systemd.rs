//! The units of systemd.

use std::process::Command;

use test_support::process::{directory, program};

use super::*;

/// Exposure as `systemd-analyze security` counts it, from 0 to 100: below 20 is `OK`.
const MOST_EXPOSURE: &str = "15";

#[test]
fn the_units_are_valid_and_confine_the_server() {
    let directory = directory();
    let program = program().display().to_string();
    let unit = shipped("hitode.service", &[("/usr/local/bin/hitode", &program)]);
    let path = directory.path().join("hitode.service");
    std::fs::write(&path, unit).expect("written");
    let in_fleet = directory.path().join("hitode.service.d");
    for with_fleet in [false, true] {
        if with_fleet {
            std::fs::create_dir(&in_fleet).expect("made");
            std::fs::write(in_fleet.join("fleet.conf"), shipped("fleet.conf", &[])).expect("written");
        }
        for arguments in [
            &["verify", "--man=no"][..],
            &["security", "--offline=yes", "--no-pager", "--threshold", MOST_EXPOSURE],
        ] {
            let done = Command::new("systemd-analyze").args(arguments).arg(&path).output();
            let done = done.expect("tests/run --install installs systemd");
            let printed = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
            assert!(done.status.success(), "{arguments:?}: {printed}");
            let is_silent = arguments[0] != "verify" || printed.is_empty();
            assert!(is_silent, "{printed}");
        }
    }
}
