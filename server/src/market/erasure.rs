//! Erasing workers. Their records stay, so that what names them can be read, but say nothing about them any more. Their files
//! go.

use std::sync::Arc;

use codegen_store::kept::feeds;
use codegen_store::{Bytes, Record};
use contract::events::Recipient;
use contract::support::{FileDirectory, Key};
use contract::{
    Application, ApplicationId, Conversation, Delivery, Failure, Gender, Human, HumanId, Message, Number, Review,
    ReviewId, operator,
};

use super::{ERASED, files, reviews};
use crate::app::Hitode;
use crate::store::{Actor, Decided, Market, Store, StoreError, StoreResult, Trees, Tx, end_code, skills, tables};

/// The texts that one transaction replaces at most.
const AT_ONCE: usize = 512;

impl operator::EraseHuman for Hitode {
    async fn erase_human(&self, request: operator::erase_human::Request) -> Result<(), operator::erase_human::Error> {
        let id = request.human.id;
        self.erased_workers().note(&[id]).await.map_err(|error| {
            tracing::error!(%error, "the id of a worker who is to be erased cannot be noted");
            Failure::Unwritable
        })?;
        Ok(erase(self.store(), self.file_directory(), id).await?)
    }
}

/// Erases a worker: first the profile, which ends the credentials, and then the texts and the files, so that no new ones
/// come. Interrupted, it can be repeated. Without a directory, the contents of the files are elsewhere, and stay.
pub(crate) async fn erase(store: &Store, directory: Option<&Arc<FileDirectory>>, id: HumanId) -> Result<(), Failure> {
    store
        .write(Actor::Operator, move |tx| erase_profile(tx, id))
        .await
        .map_err(Failure::from)??;
    let texts = store.read(move |trees, _| texts_of(trees, id)).await?;
    for some in texts.chunks(AT_ONCE) {
        let some = some.to_vec();
        store
            .write(Actor::Operator, move |tx| {
                some.iter().try_for_each(|text| erase_text(tx, text))
            })
            .await
            .map_err(Failure::from)??;
    }
    files::erase(store, directory, id).await
}

/// Erases workers whom a restored backup has again, and never gives their ids to others. Returns how many there were.
pub(crate) async fn erase_again(store: &Store, ids: &[HumanId]) -> Result<usize, Failure> {
    let wanted = ids.to_vec();
    let found = store.write(Actor::Operator, move |tx| -> Decided<Vec<HumanId>, Failure> {
        let last = wanted.iter().map(|id| id.get()).max().unwrap_or_default();
        tx.advance(tables::HUMANS, last)?;
        let mut found = wanted.clone();
        found.sort_unstable();
        found.dedup();
        let mut are_there = Vec::new();
        for id in found {
            if tx.get::<Human>(id)?.is_some() {
                are_there.push(id);
            }
        }
        Ok(are_there)
    });
    let found = found.await.map_err(Failure::from)??;
    for id in &found {
        erase(store, None, *id).await?;
    }
    Ok(found.len())
}

/// A record with a text that goes.
#[derive(Clone)]
enum Text {
    Application(ApplicationId),
    /// Its key.
    Delivery(Bytes),
    Review(ReviewId),
    /// Its key.
    Message(Bytes),
}

/// The applications, deliveries and reviews of a worker, and all messages of the worker's conversations.
fn texts_of(trees: &Trees, id: HumanId) -> StoreResult<Vec<Text>> {
    let mut texts = Vec::new();
    for row in trees.index(tables::SENT, &id.bytes(), usize::MAX)? {
        let application = <Application as Record<Market>>::listed_by(tables::SENT, row);
        let application = application.map_err(StoreError::damaged)?;
        texts.push(Text::Application(application));
        let deliveries = trees.index(<Delivery as Record<Market>>::TREE, &application.bytes(), usize::MAX)?;
        texts.extend(deliveries.into_iter().map(Text::Delivery));
    }
    for row in trees.index(reviews::OF_HUMAN, &id.bytes(), usize::MAX)? {
        let review = <Review as Record<Market>>::listed_by(reviews::OF_HUMAN, row);
        texts.push(Text::Review(review.map_err(StoreError::damaged)?));
    }
    for row in trees.index(tables::WORKER_INBOX, &id.bytes(), usize::MAX)? {
        let conversation = <Conversation as Record<Market>>::listed_by(tables::WORKER_INBOX, row);
        let conversation = conversation.map_err(StoreError::damaged)?;
        let messages = trees.index(tables::MESSAGES, &conversation.bytes(), usize::MAX)?;
        texts.extend(messages.into_iter().map(Text::Message));
    }
    Ok(texts)
}

fn erase_text(tx: &mut Tx<'_>, text: &Text) -> Decided<(), Failure> {
    match text {
        Text::Application(id) => {
            let mut application: Application = tx.existing(*id)?;
            ERASED.clone_into(&mut application.message);
            tx.put(&application)?;
        }
        Text::Delivery(key) => {
            let mut delivery: Delivery = tx.existing_at(key)?;
            ERASED.clone_into(&mut delivery.message);
            tx.put(&delivery)?;
        }
        Text::Review(id) => {
            let mut review: Review = tx.existing(*id)?;
            review.comment = review.comment.map(|_| ERASED.to_owned());
            tx.put(&review)?;
        }
        Text::Message(key) => {
            let mut message: Message = tx.existing_at(key)?;
            ERASED.clone_into(&mut message.content);
            tx.put(&message)?;
        }
    }
    Ok(())
}

/// Replaces a profile, and removes the feed of the worker's events.
fn erase_profile(tx: &mut Tx<'_>, id: HumanId) -> Decided<(), Failure> {
    let former: Human = tx.existing(id)?;
    skills::replaced(tx, &former.skills, &[])?;
    feeds::forget(tx, Recipient::Human(id))?;
    let zero = Number::new(0.0).expect("0 is finite");
    // The last word is for those who do not say.
    let unstated = *Gender::VALUES.last().expect("an enum has a word");
    let erased = ERASED.to_owned();
    let mut human = Human {
        name: erased.clone(),
        headline: erased.clone(),
        bio: erased.clone(),
        city: erased.clone(),
        state: erased,
        gender: unstated,
        hourly_rate: zero,
        rating: zero,
        total_reviews: 0,
        given_rating: None,
        given_reviews: None,
        review_stars: 0,
        review_count: 0,
        is_verified: false,
        is_available: false,
        skills: Vec::new(),
        photos: Vec::new(),
        token_digest: None,
        external_id: None,
        suspended: true,
        erased: true,
        ..former.clone()
    };
    end_code(&mut human);
    tx.replace(&former, &human)?;
    tx.await_everywhere();
    Ok(())
}
