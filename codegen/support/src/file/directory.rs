//! The directory of files: each has a random name, and is complete and synced before it has it.

use super::uploads::{Upload, Uploads};
use crate::secret::{is_random_name, random_name};
use parking_lot::Mutex;
use std::collections::HashSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// A directory of files. Those that are being received are in `incoming`, the others in one directory for each two first
/// characters of their names.
#[derive(Clone, Debug)]
pub struct FileDirectory {
    root: PathBuf,
    /// The directories that a power cut leaves there.
    synced: Arc<Mutex<HashSet<PathBuf>>>,
    /// How many bytes of the disk uploads leave free.
    kept_free: u64,
    uploads: Arc<Uploads>,
    /// How much is written at a time.
    work: Arc<Semaphore>,
}

/// Why a stored file cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The directory does not have it.
    NoFile,
    /// The directory is not there as it was opened: its disk is not mounted, or it was moved.
    NoDirectory(io::Error),
    /// It has this number of bytes, and its record another one.
    OtherLength(u64),
    /// The disk or permissions prevent it.
    Io(io::Error),
}

/// How many threads write files at a time. The others of the runtime read what requests wait for, however slow the disk is.
const WRITERS: usize = 4;

/// How long a file that no record names is left alone: a request may be about to name it.
const GRACE: Duration = Duration::from_secs(3600);

/// The directory of files that are being received.
const INCOMING: &str = "incoming";

impl FileDirectory {
    /// Opens the directory, which only the user of this process may read, and makes it if it does not exist.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn open(root: &Path) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700).create(root.join(INCOMING))?;
        sync(root)?;
        root.parent()
            .filter(|parent| *parent != Path::new(""))
            .map_or(Ok(()), sync)?;
        Ok(Self::at(root))
    }

    /// A directory that exists. It stays as it is, so files in it can be read only.
    ///
    /// # Errors
    /// If there is none.
    pub fn existing(root: &Path) -> io::Result<Self> {
        match fs::metadata(root)?.is_dir() {
            true => Ok(Self::at(root)),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            synced: Arc::default(),
            kept_free: 0,
            uploads: Arc::default(),
            work: Arc::new(Semaphore::new(WRITERS)),
        }
    }

    /// The directory whose uploads leave so many bytes of its disk free.
    #[must_use]
    pub fn keeping_free(self, bytes: u64) -> Self {
        Self {
            kept_free: bytes,
            ..self
        }
    }

    /// A place for one more upload, if there are not too many.
    pub fn begin_upload(&self) -> Option<Upload> {
        self.uploads.begin()
    }

    /// A place for one more upload. Waits until there are not too many.
    pub async fn wait_for_upload(&self) -> Upload {
        self.uploads.wait().await
    }

    /// Writes something on a thread for blocking work, when a few others have finished theirs. The work goes on if this is dropped.
    ///
    /// # Errors
    /// If it panics.
    pub async fn write<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        let permit = Arc::clone(&self.work).acquire_owned().await.expect("never closed");
        let written = spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        written.await.map_err(io::Error::other)
    }

    /// Whether the disk has room for so many bytes beside those that stay free.
    pub(super) async fn has_room(&self, bytes: u64) -> bool {
        let root = self.root.clone();
        let free = spawn_blocking(move || fs2::available_space(&root));
        match free.await.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok(free) if free >= bytes.saturating_add(self.kept_free) => true,
            Ok(free) => {
                let (free, kept_free) = (free >> 20, self.kept_free >> 20);
                tracing::error!(
                    free,
                    kept_free,
                    needed = bytes.div_ceil(1 << 20),
                    "a file is rejected: free some MiB on the disk of {}",
                    self.root.display()
                );
                false
            }
            Err(error) => {
                tracing::error!(%error, "the free space for files is not known");
                false
            }
        }
    }

    /// Opens the file with this name, which has so many bytes.
    ///
    /// # Errors
    /// If there is none, the directory is not the one that was opened, or the file has another length or cannot be read.
    pub async fn read(&self, name: &str, bytes: u64) -> Result<File, ReadError> {
        let directory = self.clone();
        let name = name.to_owned();
        let opened = spawn_blocking(move || directory.open_file(&name, bytes));
        opened
            .await
            .unwrap_or_else(|error| Err(ReadError::Io(io::Error::other(error))))
    }

    fn open_file(&self, name: &str, bytes: u64) -> Result<File, ReadError> {
        let path = self.path_of(name).map_err(ReadError::Io)?;
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((length, file)) if length == bytes => Ok(file),
            Ok((length, _)) => Err(ReadError::OtherLength(length)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::metadata(self.root.join(INCOMING)) {
                Ok(_) => Err(ReadError::NoFile),
                Err(error) => Err(ReadError::NoDirectory(error)),
            },
            Err(error) => Err(ReadError::Io(error)),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// An empty file, which is deleted when it is dropped.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(&self) -> io::Result<(TemporaryFile, File)> {
        let path = self.root.join(INCOMING).join(random_name());
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        let background = None;
        Ok((TemporaryFile { path, background }, file))
    }

    /// Gives a complete and synced file its name, which is returned. It then survives a power cut.
    ///
    /// # Errors
    /// If it cannot be moved.
    pub fn keep(&self, file: &TemporaryFile) -> io::Result<String> {
        let name = random_name();
        self.keep_as(file, &name, "")?;
        Ok(name)
    }

    /// The same with the name of a file of another directory, and an ending after it. It replaces a file of this name.
    ///
    /// # Errors
    /// If it cannot be moved, or it is no name that [`Self::keep`] gives.
    pub fn keep_as(&self, file: &TemporaryFile, name: &str, ending: &str) -> io::Result<()> {
        let mut path = self.path_of(name)?.into_os_string();
        path.push(ending);
        let path = PathBuf::from(path);
        let parent = path.parent().unwrap_or(&self.root);
        self.prepare(parent)?;
        fs::rename(&file.path, &path)?;
        sync(parent)
    }

    /// Makes a directory of files, if it does not exist, and syncs that it does.
    fn prepare(&self, directory: &Path) -> io::Result<()> {
        let mut synced = self.synced.lock();
        if !synced.contains(directory) {
            DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
            sync(&self.root)?;
            synced.insert(directory.to_owned());
        }
        Ok(())
    }

    /// Where the file with this name is.
    ///
    /// # Errors
    /// If it is no name that [`Self::keep`] gives.
    pub fn path_of(&self, name: &str) -> io::Result<PathBuf> {
        match name.get(..2).filter(|_| is_random_name(name)) {
            Some(first) => Ok(self.root.join(first).join(name)),
            None => Err(io::Error::new(io::ErrorKind::InvalidInput, "no name of a stored file")),
        }
    }

    /// Deletes the file with this name. One that does not exist is deleted already.
    ///
    /// # Errors
    /// If it exists and cannot be deleted.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path_of(name)?) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The names of all files.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if entry.file_name() == INCOMING || !entry.file_type()?.is_dir() {
                continue;
            }
            for file in fs::read_dir(entry.path())? {
                names.extend(file?.file_name().into_string().ok());
            }
        }
        Ok(names)
    }

    /// Deletes files that no record names, and those that were never received completely, if they are at least an hour
    /// old. `records` is how many records name a file. Returns how many were deleted.
    ///
    /// # Errors
    /// If the directory cannot be read; or if it seems not to be that of these records: it has no file and they name some, or
    /// they name less than half of its files. The text says what to do.
    pub fn sweep(&self, records: usize, is_named: impl Fn(&str) -> bool) -> io::Result<usize> {
        let names = self.names()?;
        if records > 0 && names.is_empty() {
            return Err(io::Error::other(format!(
                "{records} records name files, and {} has none: stop the server and mount the disk, or copy the files of a backup \
                 there",
                self.root.display()
            )));
        }
        let names = names.into_iter().filter(|name| is_random_name(name));
        let (named, unnamed): (Vec<String>, Vec<String>) = names.partition(|name| is_named(name));
        if unnamed.len() > named.len() {
            let text = format!("records name {} of its files, and {} not", named.len(), unnamed.len());
            return Err(io::Error::other(text));
        }
        let mut abandoned = Vec::new();
        for name in unnamed {
            abandoned.push(self.path_of(&name)?);
        }
        for entry in fs::read_dir(self.root.join(INCOMING))? {
            abandoned.push(entry?.path());
        }
        let deleted = abandoned
            .iter()
            .filter(|path| is_old(path) && fs::remove_file(path).is_ok());
        Ok(deleted.count())
    }
}

fn is_old(path: &Path) -> bool {
    let changed = fs::metadata(path).and_then(|found| found.modified());
    changed.is_ok_and(|changed| {
        let age = SystemTime::now().duration_since(changed);
        age.is_ok_and(|age| age >= GRACE)
    })
}

fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// A file that is deleted when this is dropped, unless it was kept.
#[derive(Debug)]
pub struct TemporaryFile {
    path: PathBuf,
    /// Where it is deleted in the background, if it is.
    background: Option<FileDirectory>,
}

impl TemporaryFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that is deleted in the background, like the writes of this directory: on a slow disk that takes long, and a
    /// thread that answers requests must not wait for it.
    #[must_use]
    pub(super) fn deleted_in_background(self, directory: &FileDirectory) -> Self {
        let mut file = self;
        file.background = Some(directory.clone());
        file
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let path = std::mem::take(&mut self.path);
        // If it was kept, it has another name.
        let delete = move || fs::remove_file(path);
        match (self.background.take(), Handle::try_current()) {
            (Some(directory), Ok(runtime)) => drop(runtime.spawn(async move { directory.write(delete).await })),
            _ => drop(delete()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn directory() -> (PathBuf, FileDirectory) {
        let root = std::env::temp_dir().join(format!("files-{}", random_name()));
        let directory = FileDirectory::open(&root).unwrap();
        (root, directory)
    }

    #[test]
    fn what_is_kept_stays_and_what_is_not_goes() {
        let (root, files) = directory();
        let (kept, mut file) = files.create().unwrap();
        file.write_all(b"content").unwrap();
        let name = files.keep(&kept).unwrap();
        drop(kept);
        let (dropped, _) = files.create().unwrap();
        drop(dropped);
        assert_eq!(fs::read(files.path_of(&name).unwrap()).unwrap(), b"content");
        assert_eq!(files.names().unwrap(), std::slice::from_ref(&name));
        assert_eq!(fs::read_dir(root.join(INCOMING)).unwrap().count(), 0);
        files.remove(&name).unwrap();
        files.remove(&name).unwrap();
        assert!(files.names().unwrap().is_empty());
        fs::remove_dir_all(root).unwrap();
    }

    #[tokio::test]
    async fn why_a_file_cannot_be_read_is_known() {
        let (root, files) = directory();
        let (kept, mut file) = files.create().unwrap();
        file.write_all(b"content").unwrap();
        let name = files.keep(&kept).unwrap();
        assert!(files.read(&name, 7).await.is_ok());
        let other = files.read(&name, 8).await;
        assert!(matches!(other, Err(ReadError::OtherLength(7))), "{other:?}");
        let absent = files.read(&random_name(), 7).await;
        assert!(matches!(absent, Err(ReadError::NoFile)), "{absent:?}");
        let wrong = files.read("../passwd", 7).await;
        assert!(matches!(wrong, Err(ReadError::Io(_))), "{wrong:?}");
        fs::remove_dir_all(&root).unwrap();
        // A disk that is not mounted leaves an empty directory.
        for is_empty in [false, true] {
            if is_empty {
                fs::create_dir(&root).unwrap();
            }
            let away = files.read(&name, 7).await;
            assert!(matches!(away, Err(ReadError::NoDirectory(_))), "{away:?}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_copy_has_the_name_of_its_original() {
        let (root, files) = directory();
        let name = random_name();
        for ending in ["", "", ".copy"] {
            let (copy, _) = files.create().unwrap();
            files.keep_as(&copy, &name, ending).unwrap();
        }
        let (copy, _) = files.create().unwrap();
        assert!(files.keep_as(&copy, "../passwd", "").is_err());
        let existing = FileDirectory::existing(&root).unwrap();
        let mut names = existing.names().unwrap();
        names.sort();
        assert_eq!(names, [name.clone(), format!("{name}.copy")]);
        assert!(FileDirectory::existing(&root.join("missing")).is_err());
        assert!(FileDirectory::existing(&existing.path_of(&name).unwrap()).is_err());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_name_leads_nowhere_else() {
        let (root, files) = directory();
        for wrong in [
            "",
            "a",
            "../../etc/passwd",
            "..",
            "ab/cdefghijklmnopqrstuvwxyzabcd",
            "é",
        ] {
            assert!(files.path_of(wrong).is_err(), "{wrong}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_directory_without_the_files_of_the_records_is_reported() {
        let (root, files) = directory();
        assert_eq!(files.sweep(0, |_| false).unwrap(), 0);
        let error = files.sweep(2, |_| true).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "2 records name files, and {} has none: stop the server and mount the disk, or copy the files of a backup there",
                root.display()
            )
        );
        let (temporary, _) = files.create().unwrap();
        files.keep(&temporary).unwrap();
        assert_eq!(files.sweep(2, |_| true).unwrap(), 0);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_sweep_deletes_old_files_that_nothing_names() {
        let (root, files) = directory();
        let keep = |is_old: bool| {
            let (temporary, file) = files.create().unwrap();
            if is_old {
                file.set_modified(SystemTime::now() - 2 * GRACE).unwrap();
            }
            files.keep(&temporary).unwrap()
        };
        let (named, other, young, _abandoned) = (keep(true), keep(true), keep(false), keep(true));
        assert!(
            files.sweep(2, |name| name == named).is_err(),
            "they seem to be of other records"
        );
        assert_eq!(
            files
                .sweep(2, |name| [&named, &other].contains(&&name.to_owned()))
                .unwrap(),
            1
        );
        let mut left = files.names().unwrap();
        left.sort();
        let mut expected = [named, other, young];
        expected.sort();
        assert_eq!(left, expected);
        fs::remove_dir_all(root).unwrap();
    }

    #[tokio::test]
    async fn however_many_write_some_threads_are_left() {
        let (root, files) = directory();
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let writes = |count: usize| {
            let one = |_| {
                let (files, wait) = (files.clone(), Arc::clone(&wait));
                tokio::spawn(async move { files.write(move || wait.lock().recv().is_ok()).await })
            };
            (0..count).map(one).collect::<Vec<_>>()
        };
        let all = writes(WRITERS + 1);
        while files.work.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        // The last one has no thread, and what only reads has one.
        assert!(files.work.try_acquire().is_err());
        assert!(files.read(&random_name(), 1).await.is_err());
        (0..=WRITERS).for_each(|_| go.send(()).unwrap());
        for one in all {
            assert!(one.await.unwrap().unwrap());
        }
        fs::remove_dir_all(root).unwrap();
    }
}
