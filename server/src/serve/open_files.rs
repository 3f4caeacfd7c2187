//! The limit of open files of this process. Every connection is one.

use tracing::warn;

/// The files of the store, the log and the listener.
const OTHER_FILES: usize = 64;

/// Raises the limit of open files, and returns how many of the `wanted` connections it allows, at least one. If it is
/// fewer, a warning states what to do.
pub(super) fn raise_for(wanted: usize) -> usize {
    let Ok(files) = rlimit::increase_nofile_limit(u64::MAX) else {
        // The system has no such limit, or does not report it. A failure is then noticed when a connection is
        // accepted.
        return wanted;
    };
    let possible = connections_within(files);
    if possible < wanted {
        warn!(
            "the process may open only {files} files, enough for {possible} connections but not for {wanted}: \
             raise the limit (`ulimit -n {enough}`; LimitNOFILE={enough} in a systemd unit), or lower --connections",
            enough = wanted.saturating_add(OTHER_FILES)
        );
    }
    possible.min(wanted)
}

fn connections_within(files: u64) -> usize {
    usize::try_from(files)
        .unwrap_or(usize::MAX)
        .saturating_sub(OTHER_FILES)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_keeps_files_for_itself_and_one_connection_is_always_left() {
        assert_eq!(connections_within(1_064), 1_000);
        assert_eq!(connections_within(10), 1);
        assert!(connections_within(u64::MAX) > 1_000_000);
    }
}
