//! Small disks of a handmade recording.

use super::*;
use crate::crash::chance;

const LONG: usize = 2_000;

/// A file that was created, written twice with a sync between, and whose name was synced last.
fn recording() -> Recording {
    let path = PathBuf::from("/r/file");
    let directory = PathBuf::from("/r");
    let write = |offset, byte| Deed::Write {
        node: 0,
        offset,
        bytes: vec![byte; LONG],
    };
    let names = vec![(path, Some(Kind::File(0)))];
    let deeds = [
        Deed::Names {
            directory: directory.clone(),
            names,
        },
        write(0, b'a'),
        Deed::Sync { node: 0 },
        write(LONG, b'b'),
        Deed::SyncNames { directory },
    ];
    let mut recording = Recording::read(Path::new("/r"));
    recording.events = (0..)
        .step_by(2)
        .zip(deeds)
        .map(|(begun, deed)| Event {
            begun,
            ended: begun + 1,
            deed,
        })
        .collect();
    recording
}

/// All possible contents of the file after a cut before `moment`; `None` if it is missing.
fn contents(recording: &Recording, moment: usize, policy: Policy) -> BTreeSet<Option<Vec<u8>>> {
    let replay = Replay::new(recording);
    let disk = |part| replay.disk(moment, policy, &mut chance(part));
    (0..100)
        .map(|part| disk(part).files.remove(Path::new("/r/file")))
        .collect()
}

fn whole() -> Vec<u8> {
    [vec![b'a'; LONG], vec![b'b'; LONG]].concat()
}

#[test]
fn what_was_synced_is_always_there_and_the_rest_as_the_policy_says() {
    let recording = recording();
    assert_eq!(
        contents(&recording, 10, Policy::Nothing),
        [Some(vec![b'a'; LONG])].into()
    );
    assert_eq!(contents(&recording, 10, Policy::Everything), [Some(whole())].into());
    let some = contents(&recording, 10, Policy::Chance);
    assert!(some.len() > 10);
    for content in some {
        let content = content.expect("its name was synced");
        assert!(content.starts_with(&[b'a'; LONG]) && content.len() <= 2 * LONG);
        assert!(content[LONG..].iter().all(|byte| [b'b', 0].contains(byte)));
    }
}

#[test]
fn a_length_may_be_there_without_the_bytes() {
    let zeros = [vec![b'a'; LONG], vec![0; LONG]].concat();
    assert_eq!(contents(&recording(), 10, Policy::Zeros), [Some(zeros)].into());
}

#[test]
fn a_file_without_its_name_is_missing() {
    let recording = recording();
    // The sync of the directory has begun, but not ended.
    assert_eq!(contents(&recording, 9, Policy::Nothing), [None].into());
    assert!(contents(&recording, 9, Policy::Chance).contains(&None));
}

#[test]
fn a_sync_covers_only_what_had_ended_when_it_began() {
    let mut recording = recording();
    recording.events[1].ended = 4;
    assert_eq!(contents(&recording, 10, Policy::Nothing), [Some(Vec::new())].into());
}

#[test]
fn what_is_reordered_lacks_the_earlier_and_has_the_later() {
    let mut recording = recording();
    recording.events.remove(2);
    let lacking = [vec![0; LONG], vec![b'b'; LONG]].concat();
    assert!(contents(&recording, 10, Policy::Reordered).contains(&Some(lacking)));
}
