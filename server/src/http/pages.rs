//! The pages for people, in `server/pages`: `/start/` shows where to go, `/jobs/` is for workers.

use clap::ValueEnum;
use contract::support::documents::Document;

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Whether the pages for people are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Pages {
    /// They are.
    On,
    /// They are not, such as where others serve pages of their own.
    Off,
}

impl Pages {
    /// Their files. `/` leads to the first one.
    pub(super) fn files(self) -> impl Iterator<Item = &'static Document> {
        let all = PAGES.iter();
        all.filter(move |_| self == Self::On)
    }
}
