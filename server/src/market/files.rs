//! Files that one side of a conversation sends to the other: a photo, a receipt. The record is in the store, its content in a
//! directory beside it, under a random name that the record has. The content is there before its record is, and until its
//! record is gone.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use codegen_store::kept::usage;
use contract::support::{Done, FileDirectory, Key, Once, QuotaUse, ReadError, ReceivedFile, StoredFile};
use contract::{
    AccountId, ConversationId, Failure, File, FileId, FileSeed, HumanId, KeepFiles, Sender, Timestamp, agent, worker,
};

use super::{by_key, by_worker};
use crate::app::Hitode;
use crate::images::{self, ImageError};
use crate::store::{Actor, Author, Decided, Store, StoreError, StoreResult, Trees, Tx};

/// Seconds after which a file is deleted that no message has.
const KEPT_UNSENT: i64 = 24 * 60 * 60;
/// How often files are deleted.
const SWEEP_EVERY: Duration = Duration::from_secs(600);
/// At the start and after so many of these rounds, contents without records are deleted: once in six hours.
const ROUNDS_OF_ABANDONED: u32 = 36;
/// The files that one transaction deletes at most.
const AT_ONCE: usize = 256;
/// The most characters of a message or a delivery with the names of its files.
const MESSAGE_CHARS: usize = 10_000;

impl KeepFiles for Hitode {
    fn files(&self) -> Option<&FileDirectory> {
        self.file_directory().map(AsRef::as_ref)
    }

    async fn check_quotas(&self, uses: Vec<QuotaUse>) -> Result<(), Failure> {
        Ok(self.store().check_quotas(uses, self.now()).await??)
    }
}

impl agent::CreateFile for Hitode {
    async fn create_file(
        &self,
        request: agent::create_file::Request,
    ) -> Result<Done<agent::create_file::Success>, agent::create_file::Error> {
        use agent::create_file::{Error, FILE_SENDER_TYPE, Success};
        let (name, keep) = (request.query.name, request.query.keep_metadata);
        let stored = self.content(&request.file, name, keep, Error::UnreadableFile).await?;
        let file = File {
            account_id: Some(request.caller.id),
            ..stored.of_sender(FILE_SENDER_TYPE)
        };
        let by = by_key(&request.caller).counting(request.uses, file.created_at);
        let once = request.once.map(|file: File| Success {
            id: file.id,
            media_type: file.media_type,
            bytes: file.bytes,
            sha256: file.sha256,
        });
        self.create_record(by, once, file).await
    }
}

impl worker::CreateFile for Hitode {
    async fn create_file(
        &self,
        request: worker::create_file::Request,
    ) -> Result<Done<worker::create_file::Success>, worker::create_file::Error> {
        use worker::create_file::{Error, FILE_SENDER_TYPE, Success};
        let (name, keep) = (request.query.name, request.query.keep_metadata);
        let stored = self.content(&request.file, name, keep, Error::UnreadableFile).await?;
        let file = File {
            human_id: Some(request.caller.id),
            ..stored.of_sender(FILE_SENDER_TYPE)
        };
        let by = by_worker(&request.caller, &request.presented_credential).counting(request.uses, file.created_at);
        let once = request.once.map(|file: File| Success {
            id: file.id,
            media_type: file.media_type,
            bytes: file.bytes,
            sha256: file.sha256,
        });
        self.create_record(by, once, file).await
    }
}

impl agent::GetFile for Hitode {
    async fn get_file(&self, request: agent::get_file::Request) -> Result<StoredFile, agent::get_file::Error> {
        self.stored_file(&request.owned_file, agent::get_file::Error::LostFile)
            .await
    }
}

impl worker::GetFile for Hitode {
    async fn get_file(&self, request: worker::get_file::Request) -> Result<StoredFile, worker::get_file::Error> {
        self.stored_file(&request.owned_file, worker::get_file::Error::LostFile)
            .await
    }
}

impl agent::DeleteFile for Hitode {
    async fn delete_file(&self, request: agent::delete_file::Request) -> Result<(), agent::delete_file::Error> {
        use agent::delete_file::Error;
        let (id, by) = (request.owned_file.id, by_key(&request.caller));
        let place = self.write(by, move |tx| delete(tx, id, Error::AbsentFile, Error::FileIsSent));
        self.remove_contents(place.await?).await;
        Ok(())
    }
}

impl worker::DeleteFile for Hitode {
    async fn delete_file(&self, request: worker::delete_file::Request) -> Result<(), worker::delete_file::Error> {
        use worker::delete_file::Error;
        let id = request.owned_file.id;
        let by = by_worker(&request.caller, &request.presented_credential);
        let place = self.write(by, move |tx| delete(tx, id, Error::AbsentFile, Error::FileIsSent));
        self.remove_contents(place.await?).await;
        Ok(())
    }
}

/// The content of a new file, in its place.
struct NewContent {
    received: ReceivedFile,
    sent_bytes: u64,
    name: String,
    place: String,
    now: Timestamp,
}

impl NewContent {
    /// The record of a file that this side sends. It has no owner yet.
    fn of_sender(self, sender_type: Sender) -> File {
        let bytes = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        File {
            place: Some(self.place),
            ..File::from(FileSeed {
                id: FileId::new(0),
                sender_type,
                name: self.name,
                media_type: self.received.media_type.to_owned(),
                bytes: bytes(self.received.bytes),
                sha256: self.received.digest.to_hex(),
                counted_bytes: bytes(self.sent_bytes),
                created_at: self.now,
            })
        }
    }
}

impl Hitode {
    /// Puts a received file in its place, without metadata if it is an image. `unreadable` is the error if it is none.
    async fn content<E: From<Failure> + Send + 'static>(
        &self,
        received: &ReceivedFile,
        name: String,
        keep_metadata: bool,
        unreadable: E,
    ) -> Result<NewContent, E> {
        let files = Arc::clone(self.file_directory().ok_or(Failure::Unwritable)?);
        let (received, now) = (received.clone(), self.now());
        let directory = Arc::clone(&files);
        let placed = move || -> Result<NewContent, ImageError> {
            let sent_bytes = received.bytes;
            let format = images::Format::of_media_type(received.media_type).filter(|_| !keep_metadata);
            let received = match format {
                Some(format) => received.rewritten(&files, |from, to| images::without_metadata(format, from, to))?,
                None => received,
            };
            let place = files.keep(received.temporary())?;
            Ok(NewContent {
                received,
                sent_bytes,
                name,
                place,
                now,
            })
        };
        let placed = directory.write(placed).await;
        match placed.map_err(|_| Failure::Internal)? {
            Ok(content) => Ok(content),
            Err(ImageError::Malformed(_)) => Err(unreadable),
            Err(ImageError::Io(error)) => {
                tracing::error!(%error, "a file cannot be stored");
                Err(Failure::Unwritable.into())
            }
        }
    }

    /// Creates the record of a file, whose content is in its place. The content goes if there is surely no record.
    async fn create_record<S: Send + 'static, D: PartialEq + From<Failure> + Send + 'static>(
        &self,
        by: Author,
        once: Once<S, File>,
        file: File,
    ) -> Result<Done<S>, D> {
        let place = file.place.clone();
        let made = self.write_once(by, once, move |tx| create(tx, &file)).await;
        let unknown = D::from(Failure::OutcomeUnknown);
        if made.as_ref().is_err_and(|error| *error != unknown) {
            self.remove_contents(place).await;
        }
        made
    }

    /// A file with its content. `lost` is the error if the directory does not have it. If the directory is not there, or the
    /// content cannot be read, files are not available until the operator has repaired it.
    async fn stored_file<E: From<Failure>>(&self, file: &File, lost: E) -> Result<StoredFile, E> {
        let files = self.file_directory().ok_or(Failure::Unavailable)?;
        let (place, bytes) = (file.place.as_deref().unwrap_or_default(), file.bytes.unsigned_abs());
        let content = files.read(place, bytes).await.map_err(|error| {
            log_unreadable(file, files, &error);
            match error {
                ReadError::NoFile => lost,
                ReadError::NoDirectory(_) | ReadError::OtherLength(_) | ReadError::Io(_) => Failure::Unavailable.into(),
            }
        })?;
        Ok(StoredFile {
            content,
            media_type: file.media_type.clone(),
            name: file.name.clone(),
            bytes,
            tag: file.sha256.clone(),
        })
    }

    /// Deletes the contents of files whose records are gone. What cannot be deleted is left for a later sweep.
    async fn remove_contents(&self, places: impl IntoIterator<Item = String>) {
        remove_contents(self.file_directory(), places.into_iter().collect()).await;
    }
}

async fn remove_contents(directory: Option<&Arc<FileDirectory>>, places: Vec<String>) {
    let Some(files) = directory.cloned() else {
        return;
    };
    let directory = Arc::clone(&files);
    let removed = directory.write(move || {
        for place in places {
            if let Err(error) = files.remove(&place) {
                tracing::warn!(%error, place, "the content of a deleted file is left");
            }
        }
    });
    let _ = removed.await;
}

/// Tells the operator why the content of a file cannot be read, and what to do.
fn log_unreadable(file: &File, files: &FileDirectory, error: &ReadError) {
    let (id, place, directory) = (file.id.get(), file.place.as_deref(), files.path().display());
    match error {
        ReadError::NoFile => tracing::error!(
            id,
            place,
            "the content of a file is missing in {directory}: copy it there from the files of a backup; `hitode check` lists all \
             that are missing"
        ),
        ReadError::NoDirectory(error) => tracing::error!(
            %error,
            id,
            "the directory of files {directory} is missing or is not the one of the start: mount its disk or move it back"
        ),
        ReadError::OtherLength(found) => tracing::error!(
            id,
            place,
            found,
            expected = file.bytes,
            "the content of a file in {directory} has another length than its record: replace it with the one of a backup; \
             `hitode check` lists all that are damaged"
        ),
        ReadError::Io(error) => tracing::error!(
            %error,
            id,
            place,
            "the content of a file in {directory} cannot be read: check the disk, and that the server may read the directory"
        ),
    }
}

/// Creates a file, whose content is in its place. Its id is drawn.
pub(super) fn create<D>(tx: &mut Tx<'_>, file: &File) -> Decided<File, D> {
    let id = tx.next_id::<File>()?;
    let file = File { id, ..file.clone() };
    tx.create(&file)?;
    Ok(file)
}

/// Whether a message or a delivery has a file. Records that are older than `sent` name the conversation of the message only.
fn is_sent(file: &File) -> bool {
    file.sent || file.conversation_id.is_some()
}

/// Deletes a file that no message has, and returns the place of its content. `absent` and `sent` are the errors if it is gone
/// meanwhile, and if a message has it.
fn delete<D: From<Failure>>(tx: &mut Tx<'_>, id: FileId, absent: D, sent: D) -> Decided<Option<String>, D> {
    let file: Option<File> = tx.get(id)?;
    let file = file.ok_or(absent)?;
    if is_sent(&file) {
        return Err(sent.into());
    }
    remove(tx, &file)?;
    Ok(file.place)
}

/// Deletes the record of a file.
fn remove<D>(tx: &mut Tx<'_>, file: &File) -> Decided<(), D> {
    let mut of_sender = file.clone();
    match file.sender_type {
        Sender::Agent => of_sender.human_id = None,
        Sender::Human => of_sender.account_id = None,
    }
    for (quota, owner) in of_sender.counted_for() {
        usage::take_back(tx, (&owner, quota), file.counted_bytes)?;
    }
    tx.delete(file)?;
    Ok(())
}

/// The files that a message or a delivery names, and the errors of such a text.
pub(super) struct NamedFiles<D> {
    /// Their ids.
    pub(super) ids: Vec<FileId>,
    /// It names one that is not the sender's own, or that was sent already.
    pub(super) unknown: D,
    /// With their names it is too long.
    pub(super) too_long: D,
}

/// Between whom files are sent, and where they are named.
pub(super) struct Between {
    pub(super) account: AccountId,
    pub(super) human: HumanId,
    /// `None` if a delivery names them.
    pub(super) conversation: Option<ConversationId>,
}

impl<D: Copy + From<Failure>> NamedFiles<D> {
    /// Gives the files to a text: from now on both sides can read them. Returns the text, with each file as a line at its end.
    pub(super) fn attach<'a>(
        &self,
        tx: &mut Tx<'_>,
        between: &Between,
        sender: Sender,
        text: &'a str,
    ) -> Decided<Cow<'a, str>, D> {
        if self.ids.is_empty() {
            return Ok(Cow::Borrowed(text));
        }
        for id in &self.ids {
            let file: Option<File> = tx.get(*id)?;
            let former = file.filter(|file| {
                let is_own = match sender {
                    Sender::Agent => file.account_id == Some(between.account),
                    Sender::Human => file.human_id == Some(between.human),
                };
                is_own && file.sender_type == sender && !is_sent(file)
            });
            let former = former.ok_or(self.unknown)?;
            let attached = File {
                account_id: Some(between.account),
                human_id: Some(between.human),
                conversation_id: between.conversation,
                sent: true,
                ..former.clone()
            };
            tx.replace(&former, &attached)?;
        }
        let lines: Vec<String> = self.ids.iter().map(|id| format!("files/{}", id.get())).collect();
        let named = format!("{text}\n\n{}", lines.join("\n"));
        if named.chars().count() > MESSAGE_CHARS {
            return Err(self.too_long.into());
        }
        Ok(Cow::Owned(named))
    }
}

/// Deletes files that no message has for a day, and contents without records, until it is dropped.
pub(crate) async fn sweep(app: Arc<Hitode>) {
    if app.file_directory().is_none() {
        return;
    }
    // What is before this id was decided.
    let mut first = FileId::new(0);
    for round in 0_u32.. {
        if round.is_multiple_of(ROUNDS_OF_ABANDONED)
            && let Err(error) = remove_abandoned(&app).await
        {
            tracing::warn!(%error, "files without records are left");
        }
        match expire(&app, &mut first).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "files were deleted that no message has"),
            Err(failure) => tracing::warn!(?failure, "files that no message has are left"),
        }
        tokio::time::sleep(SWEEP_EVERY).await;
    }
}

/// Deletes files from this id on that no message has and that are old enough. Moves the id on.
pub(crate) async fn expire(app: &Hitode, first: &mut FileId) -> Result<usize, Failure> {
    let before = Timestamp::from_unix(app.now().unix() - KEPT_UNSENT);
    let mut count = 0;
    loop {
        let from = *first;
        let (old, next) = app.read(move |trees, _| unsent(trees, from, before)).await?;
        if old.is_empty() {
            *first = next;
            if next == from {
                return Ok(count);
            }
            continue;
        }
        let places = delete_those(app.store(), old, |file| !is_sent(file)).await?;
        *first = next;
        count += places.len();
        app.remove_contents(places).await;
    }
}

/// Deletes those of these files that are there and of which this is still true. Returns the places of their contents.
async fn delete_those(
    store: &Store,
    ids: Vec<FileId>,
    is_deleted: impl Fn(&File) -> bool + Send + 'static,
) -> Result<Vec<String>, Failure> {
    let deleted = store.write(Actor::Operator, move |tx| -> Decided<Vec<String>, Failure> {
        let mut places = Vec::new();
        for id in &ids {
            let file: Option<File> = tx.get(*id)?;
            if let Some(file) = file.filter(|file| is_deleted(file)) {
                remove(tx, &file)?;
                places.extend(file.place);
            }
        }
        Ok(places)
    });
    deleted.await.map_err(Failure::from)?
}

/// Deletes all files of a worker's conversations, and those of the worker that no message has. Their contents go with
/// them, if there is a directory.
pub(crate) async fn erase(store: &Store, directory: Option<&Arc<FileDirectory>>, of: HumanId) -> Result<(), Failure> {
    // No index has the files of a worker, and erasing is rare.
    let ids = store.read(move |trees, _| {
        let of_worker = |file: StoreResult<File>| match file {
            Ok(file) => (file.human_id == Some(of)).then_some(Ok(file.id)),
            Err(error) => Some(Err(error)),
        };
        all(trees).filter_map(of_worker).collect::<StoreResult<Vec<_>>>()
    });
    for some in ids.await?.chunks(AT_ONCE) {
        let places = delete_those(store, some.to_vec(), move |file| file.human_id == Some(of)).await?;
        remove_contents(directory, places).await;
    }
    Ok(())
}

/// All files.
pub(crate) fn all(trees: &Trees) -> impl Iterator<Item = StoreResult<File>> {
    trees.scan(FileId::new(0).bytes()..=FileId::new(i64::MAX).bytes(), AT_ONCE)
}

/// Some files that no message has, made before this time, and the id to go on from: the first one that may still be sent.
fn unsent(trees: &Trees, from: FileId, before: Timestamp) -> StoreResult<(Vec<FileId>, FileId)> {
    let mut old = Vec::new();
    let mut next = from;
    for file in trees.scan::<File>(from.bytes()..=FileId::new(i64::MAX).bytes(), AT_ONCE) {
        let file = file?;
        if file.created_at > before || old.len() == AT_ONCE {
            break;
        }
        if !is_sent(&file) {
            old.push(file.id);
        }
        next = FileId::new(file.id.get() + 1);
    }
    Ok((old, next))
}

/// Deletes contents that no record names: their requests were interrupted.
async fn remove_abandoned(app: &Hitode) -> Result<(), StoreError> {
    let hashes = RandomState::new();
    let of_records = hashes.clone();
    let read = app.store().read(move |trees, _| {
        let hash = |file: File| Some(of_records.hash_one(file.place?.as_str()));
        let places = all(trees).filter_map(|file| file.map(hash).transpose());
        places.collect::<StoreResult<HashSet<u64>>>()
    });
    let named = read.await?;
    let Some(files) = app.file_directory().cloned() else {
        return Ok(());
    };
    let swept = move || files.sweep(named.len(), |name| named.contains(&hashes.hash_one(name)));
    match tokio::task::spawn_blocking(swept)
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
    {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "contents of files without records were deleted"),
        Err(error) => tracing::warn!(%error, "the directory of files cannot be swept"),
    }
    Ok(())
}
