//! Services without a handler conform to their contracts: probes, and random calls that meet every outcome.

use std::path::Path;
use std::process::Command;

use test_support::process::{Launch, Service, build, directory};

/// A service without limits, which would take minutes.
fn launch(program: &str, data: &Path) -> Launch {
    Launch::new(Path::new(program), data).arg("--rate-limits").arg("off")
}

/// Runs `codegen conform` on a service. Of the probes one in four is tried, unless the environment variable `HITODE_PROBES` says
/// another number.
fn conform(contract: &str, service: &Service, more: &[&str]) -> (bool, String) {
    let address = std::net::SocketAddr::from(service);
    let one_in = std::env::var("HITODE_PROBES").unwrap_or_else(|_| "4".to_owned());
    let probes = match more.contains(&"--histories-only") {
        true => Vec::new(),
        false => vec!["--one-in", &one_in],
    };
    let done = Command::new(build("--bin codegen").join("codegen"))
        .args([
            "conform",
            contract,
            "--level",
            "texts",
            "--rate-limits",
            "off",
            "--url",
            &format!("http://{address}"),
        ])
        .args(probes)
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("it runs");
    (
        done.status.success(),
        String::from_utf8_lossy(&done.stdout).into_owned(),
    )
}

#[test]
fn a_contract_that_says_all_is_served_from_disk_without_a_handler() {
    let data = directory();
    let notes = launch(env!("CARGO_BIN_EXE_notes"), data.path()).start();
    let (conforms, report) = conform("services/notes.yaml", &notes, &["--calls", "500"]);
    assert!(conforms, "{report}");
}

#[test]
fn records_within_records_and_errors_with_lists_of_faults_need_no_handler() {
    let data = directory();
    let clinic = launch(env!("CARGO_BIN_EXE_clinic"), data.path()).start();
    let (conforms, report) = conform("services/clinic.yaml", &clinic, &["--calls", "1000"]);
    assert!(conforms, "{report}");
}

#[test]
fn responses_of_forms_of_their_own_need_no_handler() {
    let (data, secret) = (directory(), "desk_0123456789abcdefghijklmnopqrstuv");
    let public = launch(env!("CARGO_BIN_EXE_public"), data.path())
        .arg("--desk")
        .arg(secret)
        .start();
    let credential = format!("desk={secret}");
    let (conforms, report) = conform(
        "services/public.yaml",
        &public,
        &["--credential", &credential, "--calls", "1500"],
    );
    assert!(conforms, "{report}");
}

#[test]
fn owners_states_quotas_keys_and_credentials_need_no_handler() {
    let (data, secret) = (directory(), "desk_0123456789abcdefghijklmnopqrstuv");
    let launch = || {
        launch(env!("CARGO_BIN_EXE_work"), data.path())
            .arg("--desk")
            .arg(secret)
    };
    let credential = format!("desk={secret}");
    let more = ["--credential", &credential];
    let work = launch().start();
    let (conforms, report) = conform("services/work.yaml", &work, &[&more[..], &["--calls", "2000"]].concat());
    assert!(conforms, "{report}");
    assert_eq!(work.stop().code, Some(0));
    // What it has kept is consistent, or it would not start.
    let work = launch().start();
    let (conforms, report) = conform(
        "services/work.yaml",
        &work,
        &[&more[..], &["--histories-only", "--calls", "300", "--seed", "2"]].concat(),
    );
    assert!(conforms, "{report}");
}
