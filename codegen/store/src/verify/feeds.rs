//! The feeds of events: each belongs to a record, and has the events of its span, without gaps.

use codegen_support::Key;
use codegen_support::feed::Recipient;

use super::finding::Finding;
use super::reading::Verification;
use super::tally::Records;
use crate::engine::EngineError;
use crate::hooks::Hooks;
use crate::kept::feeds::{Span, StoredEvent, event_key};
use crate::name::of_bytes;
use crate::record::decode;

/// A feed as its entry states it, and its events as they were found.
struct Feed {
    key: Vec<u8>,
    stated: Span,
    found: i64,
    next: i64,
}

impl<S: Hooks> Verification<'_, '_, S> {
    /// Verifies the feeds and their events, once the records are verified to which they belong.
    ///
    /// # Errors
    /// If a tree cannot be read.
    pub fn feeds(&mut self) -> Result<(), EngineError> {
        feeds(self)
    }
}

fn feeds<S: Hooks>(reading: &mut Verification<'_, '_, S>) -> Result<(), EngineError> {
    let mut feeds: Vec<Feed> = Vec::new();
    reading.values(S::TREES.feeds, |reading, key, value| {
        match (S::Recipient::read(&key), Span::decode(&value)) {
            (Some(of), Some(stated)) => {
                if !reading.records.has(of.resource(), &of.record_key()) {
                    reading.findings.push(&Finding::FeedOfNobody {
                        of: described(&reading.records, of),
                    });
                }
                let (key, found, next) = (key.to_vec(), 0, stated.first);
                feeds.push(Feed {
                    key,
                    stated,
                    found,
                    next,
                });
            }
            (Some(of), None) => {
                let (of, cause) = (
                    format!("the feed of {}", described(&reading.records, of)),
                    "no span".to_owned(),
                );
                reading.findings.push(&Finding::Unreadable { of, cause });
            }
            (None, _) => {
                reading.malformed_key(S::TREES.feeds, &key);
            }
        }
    })?;
    reading.values(S::TREES.events, |reading, key, value| {
        let Some((of, number)) = event_key::<S>(&key) else {
            reading.malformed_key(S::TREES.events, &key);
            return;
        };
        if let Err(misread) = decode::<StoredEvent>(&value) {
            let of = format!("event {number} of {}", described(&reading.records, of));
            reading.misread(of, misread);
        }
        match feeds.binary_search_by(|feed| feed.key.as_slice().cmp(&of.bytes())) {
            Ok(place) => {
                let feed = &mut feeds[place];
                feed.found += 1;
                feed.next += i64::from(feed.next == number);
            }
            Err(_) => reading.findings.push(&Finding::EventOfNoFeed {
                number,
                of: described(&reading.records, of),
            }),
        }
    })?;
    for Feed {
        key,
        stated,
        found,
        next,
    } in feeds
    {
        let is_whole = next == stated.last + 1 && found == next - stated.first;
        if !is_whole {
            let of =
                S::Recipient::read(&key).map_or_else(|| of_bytes("feed", &key), |of| described(&reading.records, of));
            let (first, last) = (stated.first, stated.last);
            reading.findings.push(&Finding::FeedSpan { of, first, last, found });
        }
    }
    Ok(())
}

fn described(records: &Records, of: impl Recipient) -> String {
    let name = records.name(of.resource(), &of.record_key());
    name.map_or_else(|| of.text(), |name| name.to_string())
}
