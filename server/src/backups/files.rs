//! The contents of files beside rotating backups: `files` in their directory has each content once that a kept backup names.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use contract::support::FileDirectory;
use contract::{FileId, Timestamp};
use tracing::{info, warn};

use super::contents::each_content;
use super::copies::{Copies, Taken};
use super::format::read_backup;
use super::schedule::{Failed, KeptBackup, Schedule, kept_at};
use super::unnamed::Unnamed;
use crate::app::Hitode;
use crate::store::StoreError;

/// The name of the directory of copies, in that of the backups.
const NAME: &str = "files";

/// The longest rest after a copy. Requests come first: copying rests as long as it works.
const LONGEST_REST: Duration = Duration::from_millis(50);

/// The directory of copies beside a backup, if it is named as a rotating one.
pub(crate) fn beside(backup: &Path) -> Option<PathBuf> {
    kept_at(backup.to_owned()).map(|kept| kept.path.with_file_name(NAME))
}

/// Whether contents of a backup may have no copy yet.
pub(super) fn are_uncopied(schedule: &Schedule, app: &Hitode, backup: &KeptBackup) -> bool {
    let has_files = schedule.has_files && app.file_directory().is_some();
    has_files && Unnamed::read(&schedule.directory.join(NAME)).copied != Some(backup.at)
}

/// What became of the contents that a backup names.
#[derive(Default)]
struct Copied {
    copied: u64,
    gone: Vec<FileId>,
    differing: Vec<FileId>,
}

/// Copies the contents that a backup names and that have no copy, and removes the copies that no kept backup names. Returns how
/// many were copied. The lock is held to the end.
pub(super) async fn copy(
    schedule: &Schedule,
    app: &Hitode,
    backup: KeptBackup,
    lock: Arc<File>,
) -> Result<u64, Failed> {
    let Some(files) = app.file_directory().filter(|_| schedule.has_files).cloned() else {
        return Ok(0);
    };
    let (schedule, now) = (schedule.clone(), app.now());
    let copying = move || {
        let copied = copy_all(&schedule, &backup, &files, now);
        drop(lock);
        copied
    };
    let copied = tokio::task::spawn_blocking(copying).await;
    let Copied {
        copied,
        gone,
        differing,
    } = copied.map_err(io::Error::other)??;
    if !differing.is_empty() {
        warn!(
            count = differing.len(),
            "files have other contents than were sent, and are in no backup; see `hitode check`"
        );
    }
    // The others were deleted meanwhile.
    match missing(app, gone).await {
        Ok(0) => {}
        Ok(count) => warn!(
            count,
            "files have no content that a backup could hold; see `hitode check`"
        ),
        Err(error) => warn!(%error, "it is not known whether files that were not copied were deleted"),
    }
    Ok(copied)
}

/// How many of these files still exist.
async fn missing(app: &Hitode, ids: Vec<FileId>) -> Result<usize, StoreError> {
    if ids.is_empty() {
        return Ok(0);
    }
    app.store()
        .read(move |trees, _| {
            let mut count = 0;
            for id in ids {
                count += usize::from(trees.get::<contract::File>(id)?.is_some());
            }
            Ok(count)
        })
        .await
}

fn copy_all(schedule: &Schedule, backup: &KeptBackup, from: &FileDirectory, now: Timestamp) -> Result<Copied, Failed> {
    let root = schedule.directory.join(NAME);
    let copies = Copies::open(&root, schedule.key())?;
    copies.sweep()?;
    let (mut done, mut named, hashes) = (Copied::default(), HashSet::new(), RandomState::new());
    let mut no_room = None;
    let key = schedule.key();
    let mut reader = read_backup(File::open(&backup.path)?, key.as_ref())?;
    each_content(&mut reader, |content| {
        named.insert(hashes.hash_one(content.place.as_str()));
        if copies.has(&content)? {
            return Ok(());
        }
        let begun = Instant::now();
        if let Err(error) = schedule.expect_room(content.bytes) {
            // The rest is read, so that copies can go that nothing names.
            no_room = Some(error);
            return Ok(());
        }
        match copies.take(&content, from)? {
            Taken::Copied => done.copied += 1,
            Taken::Known => {}
            Taken::Gone => done.gone.push(content.id),
            Taken::Differs => done.differing.push(content.id),
        }
        thread::sleep(begun.elapsed().min(LONGEST_REST));
        Ok::<_, Failed>(())
    })?;
    let kept = schedule.times(now);
    let mut unnamed = Unnamed::read(&root);
    unnamed.note(backup.at, &kept, copies.names()?, |name| {
        named.contains(&hashes.hash_one(name))
    })?;
    match unnamed.remove(&kept, |name| copies.remove(name)) {
        Ok(0) => {}
        Ok(count) => info!(count, "copies of files were removed that no kept backup names"),
        Err(error) => warn!(%error, "copies of files that no kept backup names are left"),
    }
    no_room.map_or(Ok(done), Err)
}
