//! Receives a file: its bytes go to a directory as they arrive.

use super::content::Content;
use super::directory::{FileDirectory, TemporaryFile};
use super::keep::KeepFiles;
use super::uploads::Upload;
use crate::body::{BodyBounds, BodyError, next_piece};
use crate::digest::Digest;
use crate::exchange::Exchange;
use crate::failure::Failure;
use bytes::Bytes;
use futures_util::Stream;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The bytes that are written together.
const PIECE: usize = 64 << 10;

/// A file that was received completely. It is deleted unless [`FileDirectory::keep`] gives it a name.
#[derive(Clone, Debug)]
pub struct ReceivedFile {
    /// Its media type, one of those that the operation takes.
    pub media_type: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// The digest of its bytes.
    pub digest: Digest,
    file: Arc<TemporaryFile>,
}

/// Why a file was not received.
#[derive(Debug)]
pub enum FileError {
    /// Its bytes did not arrive.
    Body(BodyError),
    /// It is not of its type.
    Content(&'static str),
    /// It could not be written.
    Io(io::Error),
    /// A quota or the disk has no room for it.
    Rejected(Failure),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl ReceivedFile {
    /// The file, for [`FileDirectory::keep`].
    pub fn temporary(&self) -> &TemporaryFile {
        &self.file
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// What a request with an idempotency key is compared by: the type and the digest of the bytes, as JSON.
    pub fn fingerprint(&self) -> Bytes {
        format!("\"{} {}\"", self.media_type, self.digest.to_hex()).into()
    }

    /// Another file of the same type that `write` makes from this one.
    ///
    /// # Errors
    /// That of `write`, or if it cannot be written.
    pub fn rewritten<E: From<io::Error>>(
        &self,
        files: &FileDirectory,
        write: impl FnOnce(&mut File, &mut File) -> Result<(), E>,
    ) -> Result<ReceivedFile, E> {
        let mut from = File::open(self.path())?;
        let (file, mut to) = files.create()?;
        let file = file.deleted_in_background(files);
        write(&mut from, &mut to)?;
        to.sync_all()?;
        to.rewind()?;
        let (bytes, digest) = measure(&mut to)?;
        let (media_type, file) = (self.media_type, Arc::new(file));
        Ok(Self {
            media_type,
            bytes,
            digest,
            file,
        })
    }
}

/// The length and the digest of what is left of a file.
///
/// # Errors
/// If it cannot be read.
pub fn measure(file: &mut impl Read) -> io::Result<(u64, Digest)> {
    let (mut sha256, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; PIECE]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            let digest: [u8; 32] = sha256.finalize().into();
            return Ok((bytes, digest.into()));
        }
        sha256.update(&buffer[..read]);
        bytes += read as u64;
    }
}

impl Exchange {
    /// Receives the body as a file of this type. Nothing of it is read before there is room for all that is declared of it. The
    /// length of one that declares none is covered as it arrives.
    ///
    /// # Errors
    /// If there is no room, or it does not arrive within its bounds, is not of its type, or cannot be written.
    pub async fn receive_file(
        &mut self,
        bounds: BodyBounds,
        media_type: &'static str,
        (app, upload): (&impl KeepFiles, &mut Upload),
    ) -> Result<ReceivedFile, FileError> {
        let empty = || FileError::Content("the file is empty");
        let files = app.files().ok_or(FileError::Rejected(Failure::Unwritable))?;
        let declared = self.declared_length().unwrap_or(1);
        cover((app, files, upload), declared).await?;
        let stream = self.body_stream().ok_or_else(empty)?;
        let time = Duration::from_secs(bounds.max_seconds);
        let received = receive(stream, bounds, media_type, (app, files, upload));
        let received = tokio::time::timeout(time, received).await;
        let received = received.unwrap_or(Err(FileError::Body(BodyError::TooSlow)));
        if let Err(FileError::Io(error)) = &received {
            tracing::error!(%error, "a file cannot be received");
        }
        if !matches!(
            received,
            Err(FileError::Content(_) | FileError::Rejected(_) | FileError::Body(BodyError::TooLarge))
        ) {
            self.forget_body();
        }
        received
    }
}

/// Reserves what is missing to this many bytes, if quotas and the disk have room for them beside what other uploads have
/// reserved.
async fn cover(
    (app, files, upload): (&impl KeepFiles, &FileDirectory, &mut Upload),
    bytes: u64,
) -> Result<(), FileError> {
    let Some(claim) = upload.claim(bytes).await else {
        return Ok(());
    };
    let uses = claim.uses();
    if !uses.is_empty() {
        app.check_quotas(uses).await.map_err(FileError::Rejected)?;
    }
    if !files.has_room(claim.disk_bytes()).await {
        return Err(FileError::Rejected(Failure::Unwritable));
    }
    claim.reserve();
    Ok(())
}

async fn receive<E>(
    stream: impl Stream<Item = Result<Bytes, E>>,
    bounds: BodyBounds,
    media_type: &'static str,
    (app, files, upload): (&impl KeepFiles, &FileDirectory, &mut Upload),
) -> Result<ReceivedFile, FileError> {
    let directory = files.clone();
    let (temporary, file) = files.write(move || directory.create()).await??;
    let temporary = temporary.deleted_in_background(files);
    let mut stream = pin!(stream);
    let mut writing = Writing {
        file,
        content: Content::of_type(media_type),
        sha256: Sha256::new(),
        bytes: 0,
    };
    let (mut piece, mut deadline) = (Vec::new(), None);
    while let Some(chunk) = next_piece(&mut stream, bounds.min_rate, &mut deadline)
        .await
        .map_err(FileError::Body)?
    {
        let chunk = chunk.map_err(|_| FileError::Body(BodyError::Broken))?;
        let received = writing.bytes + (piece.len() + chunk.len()) as u64;
        if received > bounds.max_bytes as u64 {
            return Err(FileError::Body(BodyError::TooLarge));
        }
        deadline = deadline
            .zip(bounds.min_rate)
            .map(|(deadline, rate)| rate.next_deadline(deadline, chunk.len()));
        piece.extend_from_slice(&chunk);
        if piece.len() >= PIECE {
            let begun = Instant::now();
            cover((app, files, upload), received).await?;
            (writing, piece) = writing.write(files, piece).await?;
            // The client did not cause this wait.
            deadline = deadline.map(|deadline| deadline + begun.elapsed());
        }
    }
    let received = writing.bytes + piece.len() as u64;
    cover((app, files, upload), received).await?;
    (writing, _) = writing.write(files, piece).await?;
    writing.content.end().map_err(FileError::Content)?;
    let Writing {
        file, sha256, bytes, ..
    } = writing;
    files.write(move || file.sync_all()).await??;
    upload.stop_counting();
    let digest: [u8; 32] = sha256.finalize().into();
    Ok(ReceivedFile {
        media_type,
        bytes,
        digest: digest.into(),
        file: Arc::new(temporary),
    })
}

/// A file while it is written.
struct Writing {
    file: File,
    content: Content,
    sha256: Sha256,
    bytes: u64,
}

impl Writing {
    /// Appends a piece. Returns its empty buffer.
    async fn write(mut self, files: &FileDirectory, mut piece: Vec<u8>) -> Result<(Self, Vec<u8>), FileError> {
        self.content.take(&piece).map_err(FileError::Content)?;
        let written = files.write(move || {
            self.sha256.update(&piece);
            self.file.write_all(&piece)?;
            self.bytes += piece.len() as u64;
            piece.clear();
            Ok((self, piece))
        });
        written.await?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::MinRate;
    use crate::key::Key;
    use crate::quota::{Amount, OverQuota, Quota, QuotaUse};
    use crate::secret::random_name;
    use futures_util::{StreamExt, stream};

    static DAY: Quota = Quota {
        name: "day",
        max: 100,
        seconds: Some(86_400),
    };

    /// An application whose only owner has used this much of a quota of 100 bytes.
    struct Used {
        files: FileDirectory,
        used: i64,
    }

    impl KeepFiles for Used {
        fn files(&self) -> Option<&FileDirectory> {
            Some(&self.files)
        }

        async fn check_quotas(&self, uses: Vec<QuotaUse>) -> Result<(), Failure> {
            let counted = DAY.count(None, self.used, 0).expect("it has periods").ok();
            let is_over = |used: &QuotaUse| match used.amount {
                Amount::Of(amount) => DAY.count(counted, amount, 0).expect("it has periods").is_err(),
                Amount::NewItems => true,
            };
            match uses.iter().find(|used| is_over(used)) {
                Some(used) => Err(OverQuota(used.quota).into()),
                None => Ok(()),
            }
        }
    }

    impl Drop for Used {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(self.files.path());
        }
    }

    fn used(used: i64) -> Used {
        let root = std::env::temp_dir().join(format!("received-{}", random_name()));
        let files = FileDirectory::open(&root).unwrap();
        Used { files, used }
    }

    impl Used {
        fn upload(&self) -> Upload {
            let mut upload = self.files.begin_upload().expect("a place");
            let (owner, amount) = (1_i64.bytes(), Amount::Of(0));
            upload.count_towards(vec![QuotaUse {
                quota: &DAY,
                owner,
                amount,
            }]);
            upload
        }
    }

    /// The text that arrives in these pieces.
    async fn received_in<E>(
        app: &Used,
        stream: impl Stream<Item = Result<Bytes, E>>,
        bounds: BodyBounds,
    ) -> Result<ReceivedFile, FileError> {
        let mut upload = app.upload();
        receive(stream, bounds, "text/plain", (app, &app.files, &mut upload)).await
    }

    /// What is received of these pieces, and how many files are left in the directory.
    async fn received(pieces: &[&'static [u8]], max_bytes: usize) -> (Result<ReceivedFile, FileError>, usize) {
        let app = used(0);
        let bounds = BodyBounds {
            max_bytes,
            max_seconds: 1,
            min_rate: None,
        };
        let pieces = pieces.iter().map(|piece| Ok::<_, ()>(Bytes::from_static(piece)));
        let pieces: Vec<_> = pieces.collect();
        let result = received_in(&app, stream::iter(pieces), bounds).await;
        let left = || std::fs::read_dir(app.files.path().join("incoming")).unwrap().count();
        // A file that is rejected is deleted in the background.
        for _ in 0..1_000 {
            if result.is_ok() || left() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let left = left();
        if let Ok(file) = &result {
            assert_eq!(std::fs::read(file.path()).unwrap().len() as u64, file.bytes);
        }
        (result, left)
    }

    /// As in `body`: what comes at the minimum rate may take longer than the grace, and what stalls may not.
    #[tokio::test(start_paused = true)]
    async fn a_slow_file_may_take_its_time_and_one_that_stalls_may_not() {
        let app = used(0);
        let bounds = BodyBounds {
            max_bytes: 1_000,
            max_seconds: 60,
            min_rate: Some(MinRate {
                bytes_per_second: 10,
                grace_seconds: 1,
            }),
        };
        let pieces = |count: usize| {
            stream::unfold(0, move |nth| async move {
                tokio::time::sleep(Duration::from_millis(500)).await;
                (nth < count).then_some((Ok::<_, ()>(Bytes::from_static(b"0123456789")), nth + 1))
            })
        };
        let slow = received_in(&app, pieces(5), bounds).await;
        assert_eq!(slow.unwrap().bytes, 50);
        let stalled = pieces(1).chain(stream::pending());
        let stalled = received_in(&app, stalled, bounds).await;
        assert!(matches!(stalled, Err(FileError::Body(BodyError::TooSlow))));
    }

    /// Each piece that is written begins no new grace.
    #[tokio::test(start_paused = true)]
    async fn pauses_between_large_pieces_are_not_forgiven() {
        let bounds = BodyBounds {
            max_bytes: 100 * PIECE,
            max_seconds: 1_000,
            min_rate: Some(MinRate {
                bytes_per_second: 8 << 10,
                grace_seconds: 10,
            }),
        };
        let pieces = |seconds: u64| {
            stream::unfold(0, move |nth| async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                (nth < 20).then_some((Ok::<_, ()>(Bytes::from(vec![b'x'; PIECE])), nth + 1))
            })
        };
        let app = used(-100 * PIECE as i64);
        assert!(received_in(&app, pieces(8), bounds).await.is_ok());
        let slow = received_in(&app, pieces(9), bounds).await;
        assert!(matches!(slow, Err(FileError::Body(BodyError::TooSlow))), "{slow:?}");
    }

    #[tokio::test]
    async fn a_file_of_unknown_length_is_covered_as_it_arrives() {
        let bounds = BodyBounds {
            max_bytes: 10 * PIECE,
            max_seconds: 1,
            min_rate: None,
        };
        let pieces = || stream::iter((0..5).map(|_| Ok::<_, ()>(Bytes::from(vec![b'x'; PIECE]))));
        let app = used(100 - 5 * PIECE as i64);
        assert!(received_in(&app, pieces(), bounds).await.is_ok());
        let app = used(101 - 5 * PIECE as i64);
        let over = received_in(&app, pieces(), bounds).await;
        assert!(
            matches!(over, Err(FileError::Rejected(Failure::OverQuota(_)))),
            "{over:?}"
        );
    }

    #[tokio::test]
    async fn a_file_is_received_whole_or_not_at_all() {
        let (file, left) = received(&[b"photo", b"", b"graph"], 10).await;
        let file = file.unwrap();
        assert_eq!((file.bytes, left), (10, 1));
        assert_eq!(file.digest, Digest::from_secret("photograph"));
        let (file, left) = received(&[b"photo", b"graphs"], 10).await;
        assert!(matches!(file, Err(FileError::Body(BodyError::TooLarge))));
        assert_eq!(left, 0);
        let wrong: [&[&[u8]]; 3] = [&[], &[b"a\0b"], &[b"\xff"]];
        for pieces in wrong {
            let (file, left) = received(pieces, 10).await;
            assert!(matches!(file, Err(FileError::Content(_))), "{file:?}");
            assert_eq!(left, 0);
        }
    }

    /// Its record may be committed before its request ends.
    #[tokio::test]
    async fn an_upload_counts_once_while_its_record_is_made() {
        let mut app = used(0);
        let bounds = BodyBounds {
            max_bytes: 100,
            max_seconds: 1,
            min_rate: None,
        };
        let [mut first, mut second] = [app.upload(), app.upload()];
        let pieces = stream::iter([Ok::<_, ()>(Bytes::from(vec![b'x'; 60]))]);
        let received = receive(pieces, bounds, "text/plain", (&app, &app.files, &mut first)).await;
        app.used = 60;
        assert!(cover((&app, &app.files, &mut second), 40).await.is_ok());
        let over = cover((&app, &app.files, &mut second), 41).await;
        assert!(matches!(over, Err(FileError::Rejected(Failure::OverQuota(_)))));
        drop((received, first));
    }

    #[tokio::test]
    async fn uploads_share_what_is_left_of_a_quota_and_of_the_disk() {
        let mut app = used(10);
        let free = fs2::available_space(app.files.path()).unwrap();
        let [mut first, mut second] = [app.upload(), app.upload()];
        assert!(cover((&app, &app.files, &mut first), 60).await.is_ok());
        let over = cover((&app, &app.files, &mut second), 31).await;
        assert!(matches!(over, Err(FileError::Rejected(Failure::OverQuota(_)))));
        assert!(cover((&app, &app.files, &mut second), 30).await.is_ok());
        drop(first);
        assert!(cover((&app, &app.files, &mut second), 90).await.is_ok());
        // Other programs write too: this is far from the limit.
        app.files = app.files.clone().keeping_free(free / 2);
        let [mut first, mut second] = [app.upload(), app.upload()].map(|mut upload| {
            upload.count_towards(Vec::new());
            upload
        });
        assert!(cover((&app, &app.files, &mut first), free / 6).await.is_ok());
        let full = cover((&app, &app.files, &mut second), free / 6).await;
        assert!(matches!(full, Err(FileError::Rejected(Failure::Unwritable))));
        drop(first);
        assert!(cover((&app, &app.files, &mut second), free / 6).await.is_ok());
    }
}
