//! The feeds of events: each belongs to an account or a worker, and has the events of its span, without gaps.

use codegen_store::{EngineError, Hex};
use contract::events::Recipient;
use contract::{Account, Human};

use super::finding::Finding;
use super::name::noun;
use super::reading::Reading;
use super::tally::Records;
use crate::store::feeds::{Span, StoredEvent};
use crate::store::record::decode;
use crate::store::{keys, tables};

/// A feed as its entry states it, and its events as they were found.
struct Feed {
    key: Vec<u8>,
    stated: Span,
    found: i64,
    next: i64,
}

/// Reads the feeds and their events.
pub(super) fn feeds(reading: &mut Reading<'_, '_>, records: &Records) -> Result<(), EngineError> {
    let mut feeds: Vec<Feed> = Vec::new();
    reading.values(tables::FEEDS, |reading, key, value| {
        match (keys::recipient_of(&key), Span::decode(&value)) {
            (Some(of), Some(stated)) => {
                if !exists(records, of) {
                    reading.findings.push(&Finding::FeedOfNobody { of: described(of) });
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
                let (of, cause) = (format!("the feed of {}", described(of)), "no span".to_owned());
                reading.findings.push(&Finding::Unreadable { of, cause });
            }
            (None, _) => {
                let (tree, key) = (tables::FEEDS, key.to_vec());
                reading.findings.push(&Finding::Key { tree, key });
            }
        }
    })?;
    reading.values(tables::EVENTS, |reading, key, value| {
        let of = key.get(..9).and_then(keys::recipient_of);
        let (Some(of), Some(number)) = (of, key.get(9..).and_then(keys::number)) else {
            let (tree, key) = (tables::EVENTS, key.to_vec());
            reading.findings.push(&Finding::Key { tree, key });
            return;
        };
        if let Err(misread) = decode::<StoredEvent>(&value) {
            let of = format!("event {number} of {}", described(of));
            reading.findings.push(&Finding::misread(of, misread));
        }
        match feeds.binary_search_by(|feed| feed.key.as_slice().cmp(&key[..9])) {
            Ok(place) => {
                let feed = &mut feeds[place];
                feed.found += 1;
                feed.next += i64::from(feed.next == number);
            }
            Err(_) => reading.findings.push(&Finding::EventOfNoFeed {
                number,
                of: described(of),
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
            let of = keys::recipient_of(&key).map_or_else(|| Hex(&key).to_string(), described);
            let (first, last) = (stated.first, stated.last);
            reading.findings.push(&Finding::FeedSpan { of, first, last, found });
        }
    }
    Ok(())
}

fn exists(records: &Records, of: Recipient) -> bool {
    match of {
        Recipient::Account(id) => records.knows::<Account>(id),
        Recipient::Human(id) => records.knows::<Human>(id),
    }
}

fn described(of: Recipient) -> String {
    match of {
        Recipient::Account(id) => format!("{} {id}", noun(tables::ACCOUNTS)),
        Recipient::Human(id) => format!("{} {id}", noun(tables::HUMANS)),
    }
}
