//! Reads descriptions: the text after ` -- ` at the declaration of a field, member, parameter or enum value.

use super::clipped::clipped;
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Word;
use crate::syntax::reader::Reader;
use crate::yaml::{DESCRIBED, is_unseen};

/// The separator without its spaces.
const MARK: &str = "--";

/// Splits a declaration into what is described and its description.
pub(crate) fn described(whole: &Word, reader: &mut Reader) -> (Word, Option<Word>) {
    let (before, doc) = match whole.text.split_once(DESCRIBED) {
        Some((before, doc)) => (before.trim_end(), Some(doc.trim())),
        None => (whole.text.as_str(), None),
    };
    if let Some((before, behind)) = without_spaces(before) {
        reader.report(badly_set_off(whole, before, behind));
        let described = match before {
            "" => Word::default(),
            before => whole.part(before),
        };
        return (described, None);
    }
    let diagnostic = |at: &str, message: &str, help: &str| {
        Diagnostic::new(Rule::BadDescription, whole.part(at).at, message).help(help.to_owned())
    };
    let wrong = match doc {
        Some("") => Some(diagnostic(&whole.text, EMPTY.0, EMPTY.1)),
        Some(doc) if doc.contains(is_unseen) => {
            let help = "write it in one line, without control or invisible characters";
            Some(diagnostic(doc, "a description is plain text in one line", help))
        }
        _ => None,
    };
    let doc = doc.filter(|_| wrong.is_none()).map(|doc| whole.part(doc));
    reader.diagnostics.extend(wrong);
    (whole.part(before), doc)
}

const EMPTY: (&str, &str) = (
    "there is no description after `--`",
    "write one, such as `title -- What is on the cover.`, or remove `--`",
);

/// A declaration that cannot have a description. A text after it is an error.
pub(crate) fn undescribed(whole: Word, reader: &mut Reader) -> Word {
    let Some((before, _)) = whole.text.split_once(DESCRIBED) else {
        return whole;
    };
    let doc = &whole.text[before.len()..];
    let help = "a description follows the type of a field, a member or a parameter, or a value of an enum where the \
        enum is declared";
    let diagnostic = Diagnostic::new(
        Rule::BadDescription,
        whole.part(doc.trim_start()).at,
        "a description is not allowed here",
    );
    reader.report(diagnostic.help(help));
    whole.part(before.trim_end())
}

/// The name in the brackets of a YAML list. A description inside them would be part of the name.
pub(crate) fn bracketed(whole: &Word, reader: &mut Reader) -> Word {
    let (name, doc) = described(whole, reader);
    if let Some(doc) = doc {
        let message = "a list with a description needs quotes";
        let help = format!("write `\"[{}] -- {}\"`", name.text, clipped(&doc.text));
        reader.report(Diagnostic::new(Rule::BadDescription, doc.at, message).help(help));
    }
    name
}

/// The texts before and after a `--` that lacks a space: next to a name without spaces, or on one side of it.
fn without_spaces(written: &str) -> Option<(&str, &str)> {
    let is_of_default = |place: usize| {
        let (before, behind) = (&written[..place], &written[place + MARK.len()..]);
        before.contains('=') && !before.ends_with(char::is_whitespace) && !behind.starts_with(char::is_whitespace)
    };
    let mut places = written.match_indices(MARK).map(|(place, _)| place);
    let place = places.find(|place| !is_of_default(*place))?;
    Some((written[..place].trim_end(), written[place + MARK.len()..].trim()))
}

fn badly_set_off(whole: &Word, before: &str, behind: &str) -> Diagnostic {
    let at = whole.part(whole.text[before.len()..].trim_start()).at;
    if behind.is_empty() {
        return Diagnostic::new(Rule::BadDescription, at, EMPTY.0).help(EMPTY.1);
    }
    let help = match before {
        "" => format!(
            "a description follows what it describes: `title -- {}`",
            clipped(behind)
        ),
        before => format!("write `{before} -- {}`", clipped(behind)),
    };
    Diagnostic::new(Rule::BadDescription, at, "`--` needs a space on both sides").help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[track_caller]
    fn check(written: &str, expected: (&str, Option<&str>), is_right: bool) {
        let end = written.len();
        let at = Span {
            line: 1,
            column: 1,
            start: 0,
            end,
        };
        let whole = Word {
            text: written.to_owned(),
            at,
        };
        let mut reader = Reader::default();
        let (before, doc) = described(&whole, &mut reader);
        let doc = doc.map(|doc| {
            assert_eq!(written[doc.at.start..doc.at.end], doc.text, "its place is its own");
            doc.text
        });
        assert_eq!((before.text.as_str(), doc.as_deref()), expected, "{written}");
        assert_eq!(reader.diagnostics.is_empty(), is_right, "{:?}", reader.diagnostics);
    }

    #[test]
    fn the_first_dashes_split_and_spaces_do_not_count() {
        check("title", ("title", None), true);
        check("title? -- A text.", ("title?", Some("A text.")), true);
        check("x = 1  --   A -- b.", ("x = 1", Some("A -- b.")), true);
        check("é -- Ü.", ("é", Some("Ü.")), true);
    }

    #[test]
    fn dashes_within_a_default_are_its_own() {
        check("x = a--b", ("x = a--b", None), true);
        check("x = a--b -- A text.", ("x = a--b", Some("A text.")), true);
        check("x = a --b", ("x = a", None), false);
    }

    #[test]
    fn what_is_no_text_is_reported_and_left_out() {
        for (written, before) in [
            ("title --", "title"),
            ("title -- ", "title"),
            ("title --text", "title"),
            ("title-- text", "title"),
            ("title--text", "title"),
            ("title --text -- more", "title"),
            ("title\t--\ttext", "title"),
            ("title -- a\u{7}b", "title"),
            ("title -- a\u{202e}b", "title"),
            ("-- text", ""),
            ("--", ""),
        ] {
            check(written, (before, None), false);
        }
    }
}
