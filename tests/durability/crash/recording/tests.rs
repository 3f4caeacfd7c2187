//! Recordings of a few handwritten calls.

use super::*;
use crate::trace;

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("\\x{byte:02x}")).collect()
}

/// The text of strace, with `'text'` for a string and `<text>` for the name of a descriptor.
fn deeds(lines: &[&str]) -> Vec<Deed> {
    let mut text = String::new();
    for line in lines {
        let mut parts = line.split('\'');
        let line: String = parts
            .next()
            .into_iter()
            .map(str::to_owned)
            .chain(parts.enumerate().map(|(place, part)| {
                if place % 2 == 0 {
                    format!("\"{}\"", hexadecimal(part))
                } else {
                    part.to_owned()
                }
            }))
            .collect();
        text += &format!(
            "7 06:00:00.1 {}\n",
            line.replace("<f>", &format!("<{}>", hexadecimal("/r/f")))
                .replace("<g>", &format!("<{}>", hexadecimal("/r/g")))
        );
    }
    let mut recording = Recording::read(Path::new("/r"));
    recording.add(&trace::parse(&text));
    recording.events.into_iter().map(|event| event.deed).collect()
}

#[test]
fn plain_writes_go_on_where_the_last_one_ended() {
    let deeds = deeds(&[
        "openat(AT_FDCWD, '/r/f', O_WRONLY|O_CREAT, 0666) = 5<f>",
        "write(5<f>, 'ab', 2) = 2",
        "write(5<f>, 'cd', 2) = 1",
        "pwrite64(5<f>, 'ef', 2, 4096) = 2",
        "fdatasync(5<f>) = 0",
        "fdatasync(5<f>) = -1 EIO (Input/output error)",
        "write(6<socket:[1]>, 'HTTP/1.1 200 OK\r\nx-request-id: 12ab\r\n\r\n', 40) = 40",
        "write(1<pipe:[2]>, 'hello', 5) = 5",
    ]);
    let names = vec![(PathBuf::from("/r/f"), Some(Kind::File(0)))];
    let write = |offset, text: &str| Deed::Write {
        node: 0,
        offset,
        bytes: text.into(),
    };
    let expected = [
        Deed::Names {
            directory: "/r".into(),
            names,
        },
        write(0, "ab"),
        write(2, "c"),
        write(4096, "ef"),
        Deed::Sync { node: 0 },
        Deed::Answer {
            request: "12ab".to_owned(),
        },
    ];
    assert_eq!(deeds, expected);
}

#[test]
#[should_panic(expected = "does not understand")]
fn what_is_not_understood_is_not_left_out() {
    deeds(&[
        "openat(AT_FDCWD, '/r/f', O_WRONLY|O_CREAT, 0666) = 5<f>",
        "fallocate(5<f>, 0, 0, 4096) = 0",
    ]);
}

#[test]
fn a_rename_into_another_directory_changes_both() {
    let deeds = deeds(&[
        "openat(AT_FDCWD, '/r/f', O_WRONLY|O_CREAT, 0666) = 5<f>",
        "mkdir('/r/d', 0777) = 0",
        "rename('/r/f', '/r/d/g') = 0",
    ]);
    let names = |directory: &str, name: &str, kind| Deed::Names {
        directory: directory.into(),
        names: vec![(name.into(), kind)],
    };
    let file = Some(Kind::File(0));
    let expected = [names("/r/d", "/r/d/g", file), names("/r", "/r/f", None)];
    assert_eq!(deeds[2..], expected);
}

#[test]
fn a_descriptor_that_is_given_again_begins_anew() {
    let deeds = deeds(&[
        "openat(AT_FDCWD, '/r/f', O_WRONLY|O_CREAT, 0666) = 5<f>",
        "write(5<f>, 'ab', 2) = 2",
        // It ends after the other one is closed.
        "openat(AT_FDCWD, '/r/g', O_WRONLY|O_CREAT, 0666) = 5<g>",
        "write(5<f>, 'cd', 2) = 2",
        "write(5<g>, 'ef', 2) = 2",
    ]);
    let offsets = deeds.iter().filter_map(|deed| match deed {
        Deed::Write { offset, .. } => Some(*offset),
        _ => None,
    });
    assert_eq!(offsets.collect::<Vec<_>>(), [0, 2, 0]);
}
