//! The messages of changes, before they are written.

use super::words::listed;

/// The message of a change. Messages that say the same of several subjects can be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sentence {
    /// The subject, a name, and what it is.
    Is(String, &'static str),
    Other(String),
}

impl From<String> for Sentence {
    fn from(text: String) -> Sentence {
        Sentence::Other(text)
    }
}

/// One text for all messages, with one sentence for those that say the same.
pub(crate) fn together<'s>(sentences: impl IntoIterator<Item = &'s Sentence>) -> String {
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    for sentence in sentences {
        let (subject, what) = match sentence {
            Sentence::Is(subject, what) => (Some(subject.as_str()), *what),
            Sentence::Other(text) => (None, text.as_str()),
        };
        let is_same = |(others, other): &&mut (Vec<_>, &str)| others.is_empty() == subject.is_none() && *other == what;
        match groups.iter_mut().find(is_same) {
            Some((others, _)) => others.extend(subject),
            None => groups.push((subject.into_iter().collect(), what)),
        }
    }
    let texts = groups.into_iter().map(|(subjects, what)| match subjects.len() {
        0 => what.to_owned(),
        1 => format!("{} is {what}", listed(subjects)),
        _ => format!("{} are {what}", listed(subjects)),
    });
    texts.collect::<Vec<_>>().join("; ")
}
