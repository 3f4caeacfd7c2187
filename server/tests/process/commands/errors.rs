//! Errors before anything is done: each message says what to do.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

use serde_json::json;

use super::detour::{Detour, ProxyAction};
use super::{Call, file, server};
use test_support::process::directory;

#[test]
fn a_server_that_is_not_there_is_to_be_started_or_named() {
    let data = directory();
    file(data.path(), "operator-token", "some-token\n");
    // The port is reserved, and nothing listens on it at this address.
    let held = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = held.local_addr().expect("an address").port();
    let address = SocketAddr::from(([127, 0, 0, 77], port));
    let output = Call::from_line("account list").to(address, data.path()).run().failed();
    assert!(
        output.contains(&format!("no server listens at http://{address}")),
        "{output}"
    );
    assert!(output.contains("hitode serve") && output.contains("--url"), "{output}");

    let output =
        Call::from_line("account list --url http://nowhere.invalid --data").arg(&data.path().to_string_lossy());
    let output = output.run().failed();
    assert!(
        output.contains("nowhere.invalid") && output.contains("--url"),
        "{output}"
    );
}

#[test]
fn a_token_that_cannot_be_found_names_the_file_and_the_variable() {
    let empty = directory();
    let output = Call::from_line("account list").within(empty.path()).run().failed();
    assert!(output.contains("./data/operator-token"), "{output}");
    assert!(
        output.contains("--data DIR") && output.contains("HITODE_OPERATOR_TOKEN"),
        "{output}"
    );

    let path = file(empty.path(), "operator-token", " \n");
    let output = Call::from_line("account list --data .")
        .within(empty.path())
        .run()
        .failed();
    assert!(output.contains("./operator-token holds no token"), "{output}");
    std::fs::remove_file(&path).expect("removed");
    std::fs::create_dir(&path).expect("made");
    let output = Call::from_line("account list --data .")
        .within(empty.path())
        .run()
        .failed();
    assert!(output.contains("cannot read ./operator-token"), "{output}");
}

#[test]
fn a_wrong_token_is_reported_with_its_source() {
    let (data, other) = (directory(), directory());
    let service = server(data.path());
    file(other.path(), "operator-token", "wrong\n");
    let output = Call::from_line("account list")
        .to(service.address, other.path())
        .run()
        .failed();
    assert!(
        output.contains(&other.path().join("operator-token").display().to_string()),
        "{output}"
    );
    assert!(
        output.contains("--data DIR") && output.contains("--token-file FILE"),
        "{output}"
    );
    let token = data.path().join("operator-token").display().to_string();
    let own = Call::from_line("account list --json --token-file").arg(&token);
    own.to(service.address, other.path()).run().well();
    let output = Call::from_line("account list")
        .at(&service)
        .variable("HITODE_OPERATOR_TOKEN", "wrong")
        .run()
        .failed();
    assert!(output.contains("token in HITODE_OPERATOR_TOKEN"), "{output}");
    assert!(!output.contains("wrong;") && !output.contains("--data DIR"), "{output}");
}

#[test]
fn an_error_response_is_printed_in_the_words_of_the_server() {
    let data = directory();
    let service = server(data.path());
    let output = Call::from_line("worker token 77").at(&service).run().failed();
    assert_eq!(output, "hitode: human 77 not found\n");
    let output = Call::from_line("account create --plan free --name")
        .arg(" ")
        .at(&service)
        .run()
        .failed();
    assert!(output.starts_with("hitode: `name` "), "{output}");
}

#[test]
fn another_server_is_recognized() {
    let data = directory();
    let service = server(data.path());
    for (answer, part) in [
        (
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>",
            "is not from hitode, but perhaps from a proxy in front of it: 404 Not Found (text/html)",
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "is not from hitode"),
        (
            "HTTP/1.1 301 Moved Permanently\r\nLocation: https://example.org/\r\nContent-Length: 0\r\n\r\n",
            "redirects to https://example.org/: use that address with --url",
        ),
        ("220 mail.example ESMTP\r\n", "is not HTTP"),
        ("", "was lost before the response"),
    ] {
        let detour = Detour::to(service.address, move |_| ProxyAction::Answer(answer));
        let output = Call::from_line("import -")
            .to(detour.address, data.path())
            .run_on("{}")
            .err;
        assert!(output.contains(part), "{answer}: {output}");
    }
}

#[test]
fn a_server_without_tls_is_recognized() {
    let data = directory();
    let service = server(data.path());
    let output = Call::from_line("account list --data").arg(&data.path().to_string_lossy());
    let output = output
        .arg("--url")
        .arg(&format!("https://{}", service.address))
        .run()
        .failed();
    assert!(
        output.contains("no TLS with https://") && output.contains("http://"),
        "{output}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let data = directory();
    let service = server(data.path());
    let output = Call::from_line("import nowhere.jsonl")
        .within(data.path())
        .at(&service)
        .run()
        .failed();
    assert!(output.contains("cannot read nowhere.jsonl: No such file"), "{output}");
    let output = Call::from_line("import . ")
        .within(data.path())
        .at(&service)
        .run()
        .failed();
    assert!(output.contains("directory"), "{output}");
}

#[test]
fn without_arguments_it_prints_its_help_and_does_nothing() {
    let empty = directory();
    let printed = Call::from_line("")
        .variable("HITODE_DATA", "here")
        .within(empty.path())
        .run();
    assert_eq!((printed.code, printed.out.as_str()), (Some(2), ""));
    for part in ["Usage: hitode <COMMAND>", "  serve ", "hitode serve --demo"] {
        assert!(printed.err.contains(part), "{}", printed.err);
    }
    assert_eq!(std::fs::read_dir(empty.path()).expect("readable").count(), 0);
}

/// A server that answers every call with this status and body.
fn answering(status: &'static str, body: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).expect("a head");
                head.push(byte[0]);
            }
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all((head + &body).as_bytes()).expect("sent");
        }
    });
    address
}

/// Texts of a server that would colour, clear and reverse the terminal.
const HOSTILE: &str = "\u{1b}[31mred\u{9b}2J \u{202e}dab\n77 forged";
const HARMLESS: &str = "\\u{1b}[31mred\\u{9b}2J \\u{202e}dab\\n77 forged";

#[test]
fn what_a_server_says_does_nothing_to_the_terminal() {
    let data = directory();
    file(data.path(), "operator-token", "some-token\n");
    let account = json!({
        "id": 1, "name": HOSTILE, "plan": "free", "suspended": false, "active_keys": 0, "created_at": "2026-01-01T00:00:00Z",
    });
    let listed = json!({ "success": true, "data": [account], "total": 1 });
    let address = answering("200 OK", listed.to_string());
    let table = Call::from_line("account list").to(address, data.path()).run().well();
    assert!(table.out.contains(HARMLESS), "{:?}", table.out);
    assert_eq!(table.out.lines().count(), 2, "{:?}", table.out);
    let script = Call::from_line("account list --json")
        .to(address, data.path())
        .run()
        .well();
    assert_eq!(script.json()[0]["name"], HOSTILE);
    let body = json!({ "success": false, "error": HOSTILE });
    let address = answering("400 Bad Request", body.to_string());
    let error = Call::from_line("account list").to(address, data.path()).run().failed();
    assert_eq!(error, format!("hitode: {HARMLESS}\n"));
    for printed in [table.out, script.out, error] {
        let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!printed.contains(obeyed), "{printed:?}");
    }
}
