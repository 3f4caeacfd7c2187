use serde_json::{Value, json};
use tracing::{error, info, info_span, warn};

use super::*;

/// The lines that `tell` logs.
fn lines(form: Form, tell: impl FnOnce()) -> Vec<String> {
    let queue = Arc::<Queue>::default();
    let layer = LogLayer::new(form, Arc::clone(&queue));
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), tell);
    let log = String::from_utf8(queue.waiting()).expect("text");
    log.split_inclusive('\n').map(str::to_owned).collect()
}

/// The objects that `tell` logs, without time, level and target.
#[track_caller]
fn objects(tell: impl FnOnce()) -> Vec<Value> {
    let object = |line: String| {
        assert!(line.is_ascii() && line.len() <= redact::MAX_LINE && line.ends_with("}\n"));
        let mut object: Value = serde_json::from_str(&line).expect("JSON");
        let members = object.as_object_mut().expect("an object");
        for name in ["timestamp", "level", "target"] {
            assert!(members.remove(name).is_some_and(|value| value.is_string()), "{name}");
        }
        object
    };
    lines(Form::Json, tell).into_iter().map(object).collect()
}

#[test]
fn what_is_recorded_of_a_span_stands_beside_what_happened() {
    let log = objects(|| {
        let span = info_span!(
            "some",
            first = "one",
            second = tracing::field::Empty,
            third = tracing::field::Empty
        );
        span.record("second", 2);
        span.record("third", "\"}");
        span.in_scope(|| info!(ratio = 0.5, is_so = true, "done"));
        let none = info_span!("none", first = tracing::field::Empty);
        none.record("first", None::<u64>);
        none.in_scope(|| info!("done"));
        info!("\"}},{{\n");
    });
    let expected = [
        json!({ "message": "done", "ratio": 0.5, "is_so": true, "first": "one", "second": 2, "third": "\"}" }),
        json!({ "message": "done" }),
        json!({ "message": "\"},{\n" }),
    ];
    assert_eq!(log, expected);
}

#[test]
fn a_field_whose_name_is_taken_gets_a_number() {
    let log = objects(|| {
        let span = info_span!("some", place = 1);
        span.in_scope(|| info!(level = "high", place = 2, "the water rises"));
    });
    let expected = json!({ "message": "the water rises", "level_2": "high", "place": 2, "place_2": 1 });
    assert_eq!(log, [expected]);
}

#[test]
fn the_id_of_a_caller_stands_under_its_kind() {
    let log = objects(|| {
        for (kind, id) in [("account", Some(7_i64)), ("operator", None)] {
            info!(caller = display(kind), caller_id = id, "done");
        }
    });
    let expected = [
        json!({ "message": "done", "caller": "account", "account": 7 }),
        json!({ "message": "done", "caller": "operator" }),
    ];
    assert_eq!(log, expected);
}

#[test]
fn no_object_bears_a_credential_a_command_of_a_terminal_or_a_line_of_its_own() {
    let secret = contract::operator_token::mint();
    let hostile = "a\nb\r\tc\u{1b}[2J\u{9b}31m\u{202e}\u{2028}\u{7f}\0\u{1f600}";
    let run = "a".repeat(64);
    let texts = ["\n", "\"", "\\", "\u{1}", "é"].map(|before| format!("{before}{run}"));
    let log = objects(|| {
        let request = info_span!("request", path = format!("/keys/{secret}"));
        request.in_scope(|| info!("{hostile}"));
        texts.iter().for_each(|text| info!(text, of = ?[&secret]));
    });
    let mut expected = vec![json!({ "message": hostile, "path": "/keys/…" })];
    expected.extend(["\n…", "\"…", "\\…", "\u{1}…", "é…"].map(|text| json!({ "text": text, "of": "[\"…\"]" })));
    assert_eq!(log, expected);
}

#[test]
fn a_line_of_json_is_cut_where_it_is_too_long() {
    for long in ["/ab", "東京/", "\"\\", "\u{9b}"].map(|piece| piece.repeat(100_000)) {
        let log = objects(|| info_span!("request", path = long, client = long).in_scope(|| info!("{long}")));
        assert_eq!(log.len(), 1);
    }
}

#[test]
fn a_short_line_is_short_and_a_request_that_succeeded_has_none() {
    let log = lines(Form::Short, || {
        info!(data = "/d", "open");
        warn!("full");
        let request = info_span!("request", request_id = "7", method = display("GET"), path = "/docs");
        request.in_scope(|| {
            error!("broken");
            for status in [Some(200_u16), Some(304), Some(404), Some(500), None] {
                info!(target: contract::support::observer::TARGET, status, duration_ms = 0.5, "abandoned");
            }
        });
    });
    let lines = log
        .iter()
        .map(|line| line.trim_end().split_once("Z ").expect("a time").1);
    let expected = [
        "open data=/d",
        "WARN full",
        "ERROR GET /docs: broken",
        "GET /docs: 404 in 0.5 ms",
        "GET /docs: 500 in 0.5 ms",
        "GET /docs: abandoned after 0.5 ms",
    ];
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

/// The program had lines of this form before it rendered them itself.
#[test]
fn a_line_of_text_is_that_of_the_formatter_of_tracing() {
    let tell = || {
        info!(data = "/d \"x\"", at = ?Some(1), share = 0.5, ok = true, "open");
        let outer = info_span!("outer");
        let request = info_span!(parent: &outer, "request", id = display(7), path = "/a\tb");
        request.in_scope(|| warn!(count = 3_u64, "broken"));
    };
    let out = Arc::new(parking_lot::Mutex::new(Vec::new()));
    let formatter = tracing_subscriber::fmt().with_ansi(false).with_writer({
        let out = Arc::clone(&out);
        move || Copied(Arc::clone(&out))
    });
    tracing::subscriber::with_default(formatter.finish(), tell);
    let expected = String::from_utf8(out.lock().clone()).expect("text");
    let untimed = |line: &str| line.split_once("Z ").expect("a time").1.to_owned();
    let ours: Vec<String> = lines(Form::Text, tell)
        .iter()
        .map(|line| untimed(line.trim_end()))
        .collect();
    assert_eq!(ours, expected.lines().map(untimed).collect::<Vec<_>>());
}

#[test]
fn on_a_terminal_the_colours_are_the_only_commands() {
    let log = lines(Form::Coloured, || {
        let span = info_span!("request", path = "/\u{1b}[2J", id = display("\u{1b}]0;x"));
        span.in_scope(|| error!(of = display("\u{1b}c"), "\u{1b}[2J"));
    });
    let [line] = log.as_slice() else { panic!("{log:?}") };
    let colours = ["[2m", "[0m", "[31m", "[0m", "[2m", "[0m"];
    let commands: Vec<_> = line.split('\u{1b}').skip(1).collect();
    assert_eq!(commands.len(), colours.len(), "{line:?}");
    assert!(
        commands
            .iter()
            .zip(colours)
            .all(|(command, colour)| command.starts_with(colour)),
        "{line:?}"
    );
}

struct Copied(Arc<parking_lot::Mutex<Vec<u8>>>);

impl io::Write for Copied {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_time_has_microseconds_and_is_the_present_one() {
    let second = || {
        let seconds = std::time::UNIX_EPOCH.elapsed().expect("it is later").as_secs();
        contract::Timestamp::from_unix(i64::try_from(seconds).expect("few")).to_string()
    };
    let (mut text, before) = (String::new(), second());
    values::push_time(&mut text);
    assert_eq!(text.len(), "2026-11-29T21:52:43.123456Z".len());
    assert!(before[..19] <= text[..19] && text[..19] <= second()[..19], "{text}");
}

#[test]
fn a_word_that_is_no_level_is_rejected_instead_of_silencing_the_log() {
    for text in [
        "",
        " ",
        "warn",
        "info,hitode=trace",
        "off",
        "hitode=debug,warn",
        "info, hitode::serve=debug,",
        "info,request=off",
        "some-target=debug",
    ] {
        assert!(filter_of(text).is_ok(), "{text:?}");
    }
    for text in ["", " ", ",", " , ,"] {
        assert_eq!(filter_of(text).expect("a filter").to_string(), "info", "{text:?}");
    }
    let both = filter_of("info,hitode=trace").expect("a filter").to_string();
    assert!(
        both.contains("hitode=trace") && both.contains("codegen_store=trace"),
        "{both}"
    );
    for text in [
        "wran",
        "info,debg",
        "hitode=loud",
        "hitode=",
        "=debug",
        "info,hitode[request]=debug",
    ] {
        assert!(filter_of(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_broken_filter_says_how_one_is_written() {
    let error = start(Some("hitode=loud"), None).expect_err("refused");
    assert!(
        error.contains("HITODE_LOG") && error.contains("hitode=trace"),
        "{error}"
    );
}
