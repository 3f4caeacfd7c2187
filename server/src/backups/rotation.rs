//! Rotating backups: a server writes one into a directory at fixed intervals, copies the contents of files that it names, and
//! removes the oldest.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use contract::Timestamp;
use tokio::time::Instant;
use tracing::{error, info, warn};

use super::file::{self, FinishedBackup, UnfinishedBackup};
use super::files;
use super::schedule::{Failed, KeptBackup, Schedule, name_of, size};
use crate::app::Hitode;

/// How long to wait after a failure, if the interval is not shorter.
const RETRY_AFTER: Duration = Duration::from_secs(300);

/// Observes backups.
pub(crate) trait WatchBackups: Send + Sync {
    /// One was written and read back at this time, with so many bytes; or one of an earlier run was found.
    fn there_is(&self, at: Timestamp, bytes: u64);
    /// One failed.
    fn failed(&self);
}

/// Writes backups until it is dropped. The first one comes when the newest of earlier runs is old enough.
pub(crate) async fn rotate(schedule: Schedule, app: Arc<Hitode>, watch: Arc<dyn WatchBackups>) {
    Rotation::begin(schedule, app, watch).run().await;
}

/// The backups while a server runs.
struct Rotation {
    schedule: Schedule,
    app: Arc<Hitode>,
    watch: Arc<dyn WatchBackups>,
    /// Keeps other servers out of the directory.
    lock: Option<Arc<File>>,
    /// When the next one is to be written.
    due: Instant,
    /// The newest one, until the contents of its files are copied.
    uncopied: Option<Uncopied>,
}

/// A backup whose contents are to be copied.
#[derive(Clone)]
struct Uncopied {
    backup: KeptBackup,
    /// `None`: an earlier run has written it.
    finished: Option<FinishedBackup>,
}

impl Rotation {
    fn begin(schedule: Schedule, app: Arc<Hitode>, watch: Arc<dyn WatchBackups>) -> Self {
        let (mut wait, now) = (Duration::ZERO, app.now());
        let newest = schedule.newest(now);
        if let Some(newest) = &newest {
            watch.there_is(newest.at, size(newest));
            let age = now.unix().saturating_sub(newest.at.unix());
            // A negative one: the clock was ahead.
            let age = u64::try_from(age).map_or(schedule.every, Duration::from_secs);
            wait = schedule.every.saturating_sub(age);
        }
        // A run may have ended before it had copied all.
        let uncopied = newest.filter(|newest| files::are_uncopied(&schedule, &app, newest));
        let uncopied = uncopied.map(|backup| Uncopied { backup, finished: None });
        Self {
            schedule,
            app,
            watch,
            lock: None,
            due: after(wait),
            uncopied,
        }
    }

    async fn run(mut self) {
        loop {
            let next = match self.turn().await {
                Ok(()) => self.due,
                Err(failed) => {
                    error!(cause = %failed, "a backup failed");
                    self.watch.failed();
                    let again = after(self.schedule.every.min(RETRY_AFTER));
                    // If only files are missing, the next backup is not delayed.
                    if self.due > Instant::now() {
                        again.min(self.due)
                    } else {
                        again
                    }
                }
            };
            tokio::time::sleep_until(next).await;
        }
    }

    /// Writes a backup if one is due, and then copies the contents that the newest one names. If that fails, the backup stays,
    /// and the rest is copied later.
    async fn turn(&mut self) -> Result<(), Failed> {
        if self.due <= Instant::now() {
            self.back_up().await?;
        }
        match self.uncopied.clone() {
            Some(uncopied) => self.copy(uncopied).await,
            None => Ok(()),
        }
    }

    async fn back_up(&mut self) -> Result<(), Failed> {
        self.lock()?;
        let at = self.app.now();
        let finished = write(&self.schedule, &self.app, at).await?;
        self.due = after(self.schedule.every);
        self.watch.there_is(at, finished.bytes);
        self.schedule.remove_oldest(at);
        let path = self.schedule.directory.join(name_of(at));
        self.uncopied = Some(Uncopied {
            backup: KeptBackup { at, path },
            finished: Some(finished),
        });
        Ok(())
    }

    async fn copy(&mut self, Uncopied { backup, finished }: Uncopied) -> Result<(), Failed> {
        let lock = self.lock()?;
        match (files::copy(&self.schedule, &self.app, backup, lock).await, finished) {
            (Ok(files), Some(FinishedBackup { lines, bytes })) => {
                info!(records = lines, bytes, files, "a backup was written");
            }
            (Ok(files), None) => info!(files, "the files of the newest backup were copied"),
            // Such as one with a former key.
            (Err(Failed::NotWhole(error)), None) => {
                warn!(%error, "the files of the newest backup are not copied, since it cannot be read");
            }
            (Err(failed), finished) => {
                if let Some(FinishedBackup { lines, bytes }) = finished {
                    info!(
                        records = lines,
                        bytes, "a backup was written, but not all of its files were copied"
                    );
                }
                return Err(failed);
            }
        }
        self.uncopied = None;
        Ok(())
    }

    /// Keeps other servers out of the directory.
    fn lock(&mut self) -> Result<Arc<File>, Failed> {
        if let Some(lock) = &self.lock {
            return Ok(Arc::clone(lock));
        }
        let directory = File::open(&self.schedule.directory)?;
        file::lock(&directory, &self.schedule.directory).map_err(|_| Failed::Shared)?;
        Ok(Arc::clone(self.lock.insert(Arc::new(directory))))
    }
}

/// So much later than now. More than a century is a century.
fn after(wait: Duration) -> Instant {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
    Instant::now() + wait.min(CENTURY)
}

async fn write(schedule: &Schedule, app: &Hitode, at: Timestamp) -> Result<FinishedBackup, Failed> {
    schedule.expect_room(schedule.newest(at).as_ref().map_or(0, size))?;
    let target = schedule.directory.join(name_of(at));
    let unfinished = UnfinishedBackup::create(&target, schedule.key())?;
    let output = app.store().back_up(unfinished.output()?, at).await?;
    let finish = move || unfinished.finish(output, &target, |_| Ok(()));
    let finished = tokio::task::spawn_blocking(finish).await;
    Ok(finished.map_err(io::Error::other)??)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use codegen_store::Decided;
    use contract::support::FileDirectory;
    use contract::{FileId, FileSeed, Sender};

    use super::*;
    use crate::backups::{Content, Copies, Found, Key, KeyFile};
    use crate::digest::Digest;
    use crate::market::tests::{TestStore, app, at};
    use crate::store::{Actor, Tx};

    /// A store with files, and a schedule of its backups.
    struct Place {
        app: Arc<Hitode>,
        schedule: Schedule,
        _dir: tempfile::TempDir,
    }

    impl Place {
        fn new(key: Option<Key>) -> Self {
            let (store, dir) = TestStore::new().into_parts();
            let files = FileDirectory::open(&dir.path().join("files")).expect("a directory");
            let directory = dir.path().join("backups");
            fs::create_dir(&directory).expect("a directory");
            let path = directory.clone();
            let schedule = Schedule {
                directory,
                every: Duration::from_secs(10),
                keep: 2,
                key: key.map(|key| KeyFile { key, path }),
                has_files: true,
            };
            Self {
                app: Arc::new(app(store).with_files(Some(files))),
                schedule,
                _dir: dir,
            }
        }

        fn files(&self) -> Arc<FileDirectory> {
            Arc::clone(self.app.file_directory().expect("there is one"))
        }

        /// Stores a file.
        async fn file(&self, text: &str) -> contract::File {
            let files = self.files();
            let (temporary, _) = files.create().expect("a file");
            fs::write(temporary.path(), text).expect("written");
            let seed = FileSeed {
                id: FileId::new(0),
                sender_type: Sender::Agent,
                name: "a.txt".to_owned(),
                media_type: "text/plain".to_owned(),
                bytes: i64::try_from(text.len()).expect("a length"),
                sha256: Digest::from_secret(text).to_hex(),
                counted_bytes: 1,
                created_at: at(0),
            };
            let file = contract::File {
                place: Some(files.keep(&temporary).expect("a name")),
                ..contract::File::from(seed)
            };
            let create = move |tx: &mut Tx<'_>| -> Decided<contract::File, std::convert::Infallible> {
                let id = tx.next_id::<contract::File>()?;
                let file = contract::File { id, ..file.clone() };
                tx.create(&file)?;
                Ok(file)
            };
            let Ok(file) = self.app.store().write(Actor::Operator, create).await.expect("a write");
            file
        }

        async fn delete(&self, file: &contract::File) {
            let (record, files) = (file.clone(), self.files());
            let delete = move |tx: &mut Tx<'_>| -> Decided<(), std::convert::Infallible> { Ok(tx.delete(&record)?) };
            let Ok(()) = self.app.store().write(Actor::Operator, delete).await.expect("a write");
            files.remove(place_of(file)).expect("removed");
        }

        /// Writes a backup of this time, with its files. Returns how many were copied.
        async fn back_up(&self, unix: i64) -> Result<u64, Failed> {
            let path = self.schedule.directory.join(name_of(at(unix)));
            write(&self.schedule, &self.app, at(unix)).await.expect("a backup");
            self.schedule.remove_oldest(at(unix));
            let lock = Arc::new(File::open(&self.schedule.directory).expect("a directory"));
            let backup = KeptBackup { at: at(unix), path };
            files::copy(&self.schedule, &self.app, backup, lock).await
        }

        fn copies(&self) -> Copies {
            Copies::existing(&self.schedule.directory.join("files"), self.schedule.key()).expect("copies")
        }

        /// The contents of these files that have a copy, by their numbers.
        fn copied(&self, files: &[&contract::File]) -> BTreeSet<usize> {
            let copies = self.copies();
            let has = |file: &contract::File| copies.has(&Content::from(file.clone())).expect("a name");
            (0..files.len()).filter(|number| has(files[*number])).collect()
        }
    }

    fn place_of(file: &contract::File) -> &str {
        file.place.as_deref().expect("it has a content")
    }

    #[tokio::test]
    async fn a_content_is_copied_once_and_stays_as_long_as_a_kept_backup_names_it() {
        let place = Place::new(None);
        let (first, second) = (place.file("first").await, place.file("second").await);
        assert_eq!(place.back_up(100).await.expect("copied"), 2);
        assert_eq!(place.back_up(200).await.expect("copied"), 0);
        place.delete(&first).await;
        let third = place.file("third").await;
        let all = [&first, &second, &third];
        assert_eq!(place.back_up(300).await.expect("copied"), 1);
        // The backup of 200 names it.
        assert_eq!(place.copied(&all), BTreeSet::from([0, 1, 2]));
        assert_eq!(place.back_up(400).await.expect("copied"), 0);
        assert_eq!(place.copied(&all), BTreeSet::from([1, 2]));
        // What is lost from the directory of files, but not deleted, stays here.
        place.files().remove(place_of(&second)).expect("removed");
        for unix in [500, 600, 700] {
            place.back_up(unix).await.expect("copied");
        }
        assert_eq!(place.copied(&all), BTreeSet::from([1, 2]));
        let copies = place.copies();
        let found = copies.give(&Content::from(second.clone()), &place.files());
        assert_eq!(found.expect("given"), Found::Whole);
        assert_eq!(
            fs::read(place.files().path_of(place_of(&second)).expect("a name")).expect("there"),
            b"second"
        );
    }

    #[tokio::test]
    async fn a_content_that_was_deleted_meanwhile_or_differs_fails_no_backup() {
        let place = Place::new(Some(Key::generate()));
        let (gone, other, whole) = (
            place.file("gone").await,
            place.file("other").await,
            place.file("whole").await,
        );
        place.files().remove(place_of(&gone)).expect("removed");
        fs::write(place.files().path_of(place_of(&other)).expect("a name"), b"0ther").expect("written");
        assert_eq!(place.back_up(100).await.expect("copied"), 1);
        assert_eq!(place.copied(&[&gone, &other, &whole]), BTreeSet::from([2]));
        assert_eq!(
            fs::read_dir(place.schedule.directory.join("files/incoming"))
                .expect("a directory")
                .count(),
            0
        );
    }

    /// Counts what it observes.
    #[derive(Default)]
    struct Watch {
        there: AtomicUsize,
    }

    impl WatchBackups for Watch {
        fn there_is(&self, _: Timestamp, _: u64) {
            self.there.fetch_add(1, Ordering::Relaxed);
        }
        fn failed(&self) {}
    }

    #[tokio::test]
    async fn a_failed_copy_is_tried_again_without_another_backup_and_goes_on_after_a_restart() {
        let place = Place::new(None);
        let file = place.file("text").await;
        let root = place.schedule.directory.join("files");
        fs::write(&root, b"no directory").expect("written");
        let watch = Arc::new(Watch::default());
        let begin = || Rotation::begin(place.schedule.clone(), Arc::clone(&place.app), watch.clone());
        let mut rotation = begin();
        for _ in 0..2 {
            rotation.turn().await.expect_err("no file can be copied");
        }
        assert_eq!(place.schedule.times(place.app.now()).len(), 1);
        drop(rotation);
        fs::remove_file(&root).expect("removed");
        // The next backup is not due.
        begin().turn().await.expect("copied");
        assert_eq!(place.copied(&[&file]), BTreeSet::from([0]));
        assert_eq!(place.schedule.times(place.app.now()).len(), 1);
        assert!(begin().uncopied.is_none());
        // One was written, and found at each start.
        assert_eq!(watch.there.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn copies_are_private_and_without_files_there_are_none() {
        let mut place = Place::new(None);
        place.schedule.has_files = false;
        let file = place.file("text").await;
        assert_eq!(place.back_up(100).await.expect("written"), 0);
        let root = place.schedule.directory.join("files");
        assert!(!root.exists());
        place.schedule.has_files = true;
        let newest = place.schedule.newest(at(200)).expect("a backup");
        assert!(files::are_uncopied(&place.schedule, &place.app, &newest));
        place.back_up(200).await.expect("copied");
        let newest = place.schedule.newest(at(300)).expect("a backup");
        assert!(!files::are_uncopied(&place.schedule, &place.app, &newest));
        let copy = root.join(&place_of(&file)[..2]).join(place_of(&file));
        for (path, expected) in [
            (root.clone(), 0o700),
            (copy.with_file_name(""), 0o700),
            (copy, 0o600),
            (root.join("unnamed.json"), 0o600),
        ] {
            let mode = fs::metadata(&path).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, expected, "{}", path.display());
        }
    }
}
