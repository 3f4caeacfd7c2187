//! How many files this process may have open. Every connection is one.

use tracing::warn;

/// What the store, the log and the listener need besides connections.
const OTHER_FILES: usize = 64;

/// Asks the system for as many open files as it gives, and tells how many of the `wanted` connections they are enough for, at
/// least one. Where it is fewer, a warning says what to do.
pub(super) fn raise_for(wanted: usize) -> usize {
    let Ok(files) = rlimit::increase_nofile_limit(u64::MAX) else {
        // The system knows no such limit, or does not tell; a connection too many is then noticed when it comes.
        return wanted;
    };
    let possible = connections_within(files);
    if possible < wanted {
        warn!(
            "only {files} files may be open, which is enough for {possible} connections and not for {wanted}: \
             raise the limit (`ulimit -n {enough}`; LimitNOFILE={enough} in a unit of systemd), or lower --connections",
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
