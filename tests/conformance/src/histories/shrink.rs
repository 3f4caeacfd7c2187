//! Shortens a history that ends with a difference: it is sent again, by fresh callers, with calls left out.

use super::call::Call;
use super::found::{Found, is_same_cause};
use super::session::{Compared, Sent, Session};
use super::subject::Subject;
use codegen::model::RecordId;
use std::collections::{HashMap, HashSet};

/// The most histories that are tried, when so many differences are known, or this one of another operation.
pub(super) fn replays(differences: usize, is_known: bool) -> usize {
    const MOST: usize = 90;
    match is_known {
        true => MOST / 6,
        false => MOST / (1 + differences / 10),
    }
}

/// The most calls that are sent.
const CALLS: usize = 15_000;

/// A short history, and the difference at its end.
pub(super) struct Shrunk {
    pub(super) sent: Vec<Sent>,
    pub(super) found: Box<Found>,
}

/// Tries shorter histories.
struct Shrinker<'s> {
    subject: &'s Subject<'s>,
    all: &'s [Sent],
    /// The records that they have made.
    made: HashSet<(&'s str, RecordId)>,
    mark: &'s str,
    found: &'s Found,
    replays: usize,
    calls: usize,
    best: Option<Shrunk>,
}

/// The shortest history that was found with this difference at its end. `all` ends with the call that differs.
pub(super) fn shrink<'s>(
    subject: &'s Subject<'s>,
    (mark, all): (&'s str, &'s [Sent]),
    found: &'s Found,
    replays: usize,
) -> Option<Shrunk> {
    let made = all.iter().flat_map(|sent| &sent.made);
    let made = made.flat_map(|(resource, ids)| ids.iter().map(|id| (*resource, *id)));
    let mut shrinker = Shrinker {
        subject,
        all,
        made: made.collect(),
        mark,
        found,
        replays,
        calls: CALLS,
        best: None,
    };
    let last = all.len().checked_sub(1)?;
    let mut kept: Vec<usize> = (0..all.len()).collect();
    // Only what names the records of the last call, then what also made their parts.
    for depth in [1, 2, 3] {
        let part = shrinker.related(last, depth);
        if part.len() < kept.len() && shrinker.differs(&part) {
            kept = part;
            break;
        }
    }
    let is_read = |at: &usize| all[*at].call.is_read();
    let is_rejected = |at: &usize| all[*at].response.status >= 400;
    shrinker.without(&mut kept, &is_rejected);
    shrinker.without(&mut kept, &is_read);
    let mut names: Vec<String> = kept.iter().map(|at| all[*at].call.name()).collect();
    names.sort();
    names.dedup();
    if kept.len() > names.len() {
        for name in names {
            shrinker.without(&mut kept, &|at| all[*at].call.name() == name);
        }
    }
    let mut length = kept.len() / 2;
    while length > 0 && shrinker.replays > 0 {
        let mut start = 0;
        while start + 1 < kept.len() {
            let end = (start + length).min(kept.len() - 1);
            let part: Vec<usize> = kept[..start].iter().chain(&kept[end..]).copied().collect();
            match shrinker.differs(&part) {
                true => kept = part,
                false => start = end,
            }
        }
        length /= 2;
    }
    shrinker.best
}

impl Shrinker<'_> {
    /// Leaves out the calls of a group, if the difference stays. The last call always stays.
    fn without(&mut self, kept: &mut Vec<usize>, is_left_out: &dyn Fn(&usize) -> bool) {
        let Some(last) = kept.last().copied() else { return };
        let part: Vec<usize> = kept
            .iter()
            .copied()
            .filter(|at| *at == last || !is_left_out(at))
            .collect();
        if part.len() < kept.len() && self.differs(&part) {
            *kept = part;
        }
    }

    /// The calls that name a record which the last one needs; `depth` times over.
    fn related(&self, last: usize, depth: usize) -> Vec<usize> {
        let model = self.subject.model;
        let keys = |at: usize| {
            let sent: &Sent = &self.all[at];
            let named = sent.call.mentions(model).into_iter();
            let made = sent.made.iter();
            let made = made.flat_map(|(resource, ids)| ids.iter().map(|id| (*resource, *id)));
            let credential = sent.call.credential.map(|index| ("", RecordId::Number(index as i64)));
            let minted = sent
                .credentials
                .clone()
                .map(|index| ("", RecordId::Number(index as i64)));
            let named = named.map(|one| (one.resource, one.id));
            named.chain(made).chain(credential).chain(minted).collect::<Vec<_>>()
        };
        let roots = RecordId::Number(self.subject.roots.len() as i64);
        let mut wanted: HashSet<(&str, RecordId)> = keys(last).into_iter().collect();
        let mut part: HashSet<usize> = HashSet::from([last]);
        for _ in 0..depth {
            wanted.retain(|(resource, id)| !resource.is_empty() || *id >= roots);
            for at in 0..last {
                if keys(at).iter().any(|key| wanted.contains(key)) {
                    part.insert(at);
                }
            }
            wanted = part.iter().flat_map(|at| keys(*at)).collect();
        }
        let mut part: Vec<usize> = part.into_iter().collect();
        part.sort_unstable();
        self.with_makers(part)
    }

    /// The same calls with those that made what they name.
    fn with_makers(&self, mut part: Vec<usize>) -> Vec<usize> {
        let model = self.subject.model;
        let mut at = part.len();
        let mut has: HashSet<usize> = part.iter().copied().collect();
        while at > 0 {
            at -= 1;
            let sent = &self.all[part[at]];
            let maker_of = |resource: &str, id: RecordId| {
                let makes = |sent: &Sent| {
                    let mut made = sent.made.iter();
                    made.any(|(known, ids)| *known == resource && ids.contains(&id))
                };
                self.all.iter().position(makes)
            };
            let named = sent.call.mentions(model).into_iter();
            let mut makers: Vec<usize> = named.filter_map(|one| maker_of(one.resource, one.id)).collect();
            if let Some(index) = sent.call.credential {
                makers.extend(self.all.iter().position(|sent| sent.credentials.contains(&index)));
            }
            let new: Vec<usize> = makers.into_iter().filter(|maker| has.insert(*maker)).collect();
            if !new.is_empty() {
                part.extend(new);
                part.sort_unstable();
                at = part.len();
            }
        }
        part
    }

    /// Whether these calls end with the same difference; if so, they are the best so far.
    fn differs(&mut self, part: &[usize]) -> bool {
        if self.replays == 0 || self.calls < part.len() {
            self.replays = 0;
            return false;
        }
        self.replays -= 1;
        self.calls -= part.len();
        let part: Vec<&Sent> = part.iter().map(|at| &self.all[*at]).collect();
        let shrunk = replay(self.subject, self.mark, &self.made, &part);
        let is_same = |shrunk: &Shrunk| {
            let last = shrunk.sent.last().map(|sent| sent.call.name());
            is_same_cause(&shrunk.found.cause, &self.found.cause)
                && last == self.all.last().map(|sent| sent.call.name())
        };
        match shrunk.filter(is_same) {
            Some(shrunk) => {
                self.best = Some(shrunk);
                true
            }
            None => false,
        }
    }
}

/// A history with the calls of another one.
struct Replay<'s> {
    session: Session<'s>,
    /// The records that the whole former history has made.
    made: &'s HashSet<(&'s str, RecordId)>,
    ids: HashMap<(&'s str, RecordId), RecordId>,
    credentials: HashMap<usize, usize>,
    /// The text that is unique to the former history.
    mark: &'s str,
    sent: Vec<Sent>,
}

/// Sends these calls again, until there is a difference. A call that names what no call has made is left out.
fn replay(subject: &Subject, mark: &str, made: &HashSet<(&str, RecordId)>, all: &[&Sent]) -> Option<Shrunk> {
    let mut replay = Replay {
        made,
        session: Session::new(subject),
        ids: HashMap::new(),
        credentials: (0..subject.roots.len()).map(|index| (index, index)).collect(),
        mark,
        sent: Vec::new(),
    };
    // How many rows of others a list has is known when it was read.
    let mut first = all.last().filter(|last| replay.session.is_shared(&last.call)).copied();
    for former in all {
        let found = replay.send(former).or_else(|| {
            let is_sent = first.is_some_and(|first| replay.renamed(&first.call).is_some());
            first.take_if(|_| is_sent).and_then(|first| replay.send(first))
        });
        if let Some(found) = found {
            let sent = replay.sent;
            return Some(Shrunk { sent, found });
        }
    }
    None
}

impl<'s> Replay<'s> {
    fn send(&mut self, former: &'s Sent) -> Option<Box<Found>> {
        let call = self.renamed(&former.call)?;
        let (now, found) = match self.session.step(&call) {
            Compared::Alike(now, _) | Compared::Undecided(now, _) => (now, None),
            Compared::Differs(now, found) => (now, Some(found)),
        };
        for ((resource, before), (_, after)) in former.made.iter().zip(&now.made) {
            let pairs = before.iter().zip(after);
            self.ids
                .extend(pairs.map(|(before, after)| ((*resource, *before), *after)));
        }
        let credentials = former.credentials.clone().zip(now.credentials.clone());
        self.credentials.extend(credentials);
        self.sent.push(now);
        found
    }

    /// The call with the ids, credentials and the mark of this history.
    fn renamed(&self, call: &Call<'static>) -> Option<Call<'static>> {
        let mut renamed = call.clone();
        if let Some(index) = call.credential {
            renamed.credential = Some(*self.credentials.get(&index)?);
        }
        for mention in call.mentions(self.session.subject.model) {
            let key = (mention.resource, mention.id);
            match self.ids.get(&key) {
                Some(id) => renamed.replace(&mention, &id.to_string()),
                // The call that made it is left out.
                None if self.made.contains(&key) => return None,
                None => {}
            }
        }
        renamed.replace_mark(self.mark, &self.session.known.mark);
        Some(renamed)
    }
}
