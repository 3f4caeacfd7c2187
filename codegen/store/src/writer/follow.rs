//! What the committer does if the trees are a copy of a log of commits: it tells the log that this process is alive, takes
//! in what others have committed, and appends its own commits.

use std::time::{Duration, Instant};

use super::changes::changes_of;
use super::committer::{CommitFailure, Committer};
use super::replay::replay;
use crate::commit_log::{CommitLog, LogError, News, Role};
use crate::error::{StoreError, unknown};
use crate::hooks::Hooks;
use crate::job::Job;
use crate::transaction::Staged;

/// How often a copy tells its log that this process is alive.
const RENEW_EVERY: Duration = Duration::from_millis(450);

/// How often clients who want to see all that is written can ask the log, which takes a write: they share it.
const ASKED_EVERY: Duration = Duration::from_millis(2);

/// How often a group is decided again because of other processes.
const ATTEMPTS: usize = 4;

impl<S: Hooks> Committer<S> {
    /// Does what is due for the log. Returns whether it has read all news and taken them in. `is_asked`: they must be those of
    /// a database that takes writes, since another one may have taken its place.
    pub(crate) fn keep_up(&mut self, is_woken: bool, is_asked: bool) -> bool {
        let Some(copy) = &self.copy else { return false };
        let is_due = is_asked || Instant::now() >= copy.renewal_due;
        let (mut has_read, mut has_more) = (false, false);
        if self.failed.is_none() && (is_due || is_woken) {
            match self.follow(|log| if is_due { log.renew() } else { log.news() }) {
                Ok(news) => {
                    has_more = news.has_more;
                    has_read = !has_more;
                    if is_due {
                        self.is_writable();
                    }
                }
                Err(failure) => drop(self.record_failure(failure)),
            }
        }
        let Some(copy) = &mut self.copy else { return false };
        if is_asked {
            copy.may_be_asked = Instant::now() + ASKED_EVERY;
        }
        if has_more {
            copy.renewal_due = Instant::now();
        } else if is_due {
            copy.renewal_due = Instant::now() + RENEW_EVERY;
        }
        if self.failed.is_none() && !copy.lease.is_held() {
            copy.lease.set_role(Role::Follower);
        }
        copy.confirm();
        has_read
    }

    /// Reads news, and takes them in.
    fn follow(
        &mut self,
        read: impl FnOnce(&mut dyn CommitLog) -> Result<News, LogError>,
    ) -> Result<News, CommitFailure> {
        let Some(copy) = &mut self.copy else {
            return Ok(News::default());
        };
        let news = read(&mut *copy.log)?;
        self.take_in(&news)?;
        self.took_in(&news)?;
        Ok(news)
    }

    fn took_in(&mut self, news: &News) -> Result<(), CommitFailure> {
        Ok(self.copy.as_mut().map_or(Ok(()), |copy| copy.log.took_in(news))?)
    }

    /// Takes in what others have committed, one commit after the other: a reader must not find in the trees what follows from a record that memory does not show yet.
    fn take_in(&mut self, news: &News) -> Result<(), CommitFailure> {
        for commit in &news.commits {
            let mut group = self.group();
            let replayed = group.run(|tx| commit.iter().try_for_each(|change| replay(tx, change)).map(|()| true));
            replayed.map_err(|error| unknown("log of commits", format!("{error:?}")))?;
            let Staged { entries, changes, .. } = group.kept;
            self.store(&entries)?;
            self.is_durable();
            self.show(changes)?;
        }
        Ok(())
    }

    /// Appends the group to the log, writes it to the trees and shows it. Returns the number of the commit in the log, unless
    /// no write of the group is kept.
    pub(crate) fn commit_to_log(&mut self, group: &mut [Box<dyn Job<S>>]) -> Result<Option<i64>, StoreError> {
        let mut attempts = 1;
        loop {
            match self.try_commit_to_log(group) {
                Err(failure) if failure.is_conflict && attempts < ATTEMPTS => {
                    attempts += 1;
                    // Meanwhile, the copy may be read.
                    self.keep_up(true, false);
                    // What was read may not be taken in as a whole.
                    if let Some(failed) = &self.failed {
                        return Err(failed.clone());
                    }
                }
                done => return done.map_err(|failure| self.record_failure(failure)),
            }
        }
    }

    fn try_commit_to_log(&mut self, group: &mut [Box<dyn Job<S>>]) -> Result<Option<i64>, CommitFailure> {
        let begun = Instant::now();
        let Some(copy) = &mut self.copy else { return Ok(None) };
        let news = copy.log.begin()?;
        self.take_in(&news)?;
        let Staged { entries, changes, .. } = self.decide(group)?;
        let Some(copy) = &mut self.copy else { return Ok(None) };
        if entries.is_empty() {
            copy.log.release()?;
            self.took_in(&news)?;
            return Ok(None);
        }
        let logged = changes_of::<S>(&entries).map_err(|error| unknown("log of commits", error))?;
        let number = copy.log.append(&logged, group.iter().any(|job| job.is_awaited()))?;
        self.store(&entries)?;
        self.committed(group.len(), begun.elapsed(), Duration::ZERO);
        self.show(changes)?;
        // The commit is stored. If the log cannot be reached, the next call notices.
        let _ = self.took_in(&news);
        Ok(Some(number))
    }
}
