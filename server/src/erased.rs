//! The lists of erased workers, which are kept apart from the store: a backup of before an erasure has the worker again, and
//! `hitode restore --erased FILE` erases it once more.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use codegen_store::files::{parent_directory, sync_directory};
use contract::HumanId;

/// The name of the file, in the data directory and in the directory of rotating backups.
pub(crate) const NAME: &str = "erased.txt";

/// What the first line says.
const HEAD: &str = "# Ids of erased workers, one a line. After `hitode restore`, give this file with --erased.";

/// Where the ids of erased workers are noted.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErasedWorkers(Vec<PathBuf>);

impl ErasedWorkers {
    /// A file in each of these directories.
    pub(crate) fn in_directories<'d>(directories: impl IntoIterator<Item = &'d Path>) -> Self {
        Self(directories.into_iter().map(|directory| directory.join(NAME)).collect())
    }

    /// Adds ids to all files, and syncs them.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub(crate) async fn note(&self, ids: &[HumanId]) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let (files, ids) = (self.0.clone(), ids.to_vec());
        let noted = tokio::task::spawn_blocking(move || files.iter().try_for_each(|file| append(file, &ids)));
        noted.await.map_err(io::Error::other)?
    }
}

/// Adds ids to a file, which is made if it is missing.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn append(path: &Path, ids: &[HumanId]) -> io::Result<()> {
    let is_new = !path.exists();
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    let mut lines = String::new();
    if is_new {
        lines = format!("{HEAD}\n");
    }
    for id in ids {
        lines += &format!("{}\n", id.get());
    }
    file.write_all(lines.as_bytes())?;
    file.sync_all()?;
    sync_directory(parent_directory(path))
}

/// Reads such a file.
///
/// # Errors
/// If it cannot be read, or the line that is no id.
pub(crate) fn read(path: &Path) -> Result<Vec<HumanId>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lines = text.lines().zip(1_usize..).map(|(line, number)| (line.trim(), number));
    let ids = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let ids = ids.map(|(line, number)| match line.parse::<i64>() {
        Ok(id) if id > 0 => Ok(HumanId::new(id)),
        _ => Err(format!("line {number} is no id of a worker")),
    });
    ids.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_were_noted() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join(NAME);
        for ids in [&[7, 9][..], &[], &[106]] {
            let ids: Vec<_> = ids.iter().copied().map(HumanId::new).collect();
            append(&file, &ids).expect("it is written");
        }
        let ids: Vec<_> = read(&file).expect("it is read").into_iter().map(HumanId::get).collect();
        assert_eq!(ids, [7, 9, 106]);
        fs::write(&file, "# a comment\n\n 12 \nHana\n").expect("it is written");
        assert_eq!(read(&file).expect_err("a name"), "line 4 is no id of a worker");
        fs::write(&file, "0\n").expect("it is written");
        read(&file).expect_err("0 is no id");
    }
}
