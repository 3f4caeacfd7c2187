//! Validates texts with a syntax: versions, URLs, email addresses, names of tools.
//!
//! [`Scalar::pattern`](crate::syntax::grammar::Scalar::pattern) repeats the syntax as regular expressions, for editors.

use crate::units::Unit;

/// `1.0.0`, `2.0.0-beta.1`
pub(crate) fn is_version(text: &str) -> bool {
    let (numbers, mark) = match text.find(['-', '+']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let is_number = |part: &str| {
        part == "0" || (!part.starts_with('0') && !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit()))
    };
    let is_mark =
        |mark: &str| !mark.is_empty() && mark.bytes().all(|c| c.is_ascii_alphanumeric() || b".+-".contains(&c));
    numbers.split('.').count() == 3 && numbers.split('.').all(is_number) && mark.is_none_or(is_mark)
}

/// `https://books.example/`
pub(crate) fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(is_visible)
}

/// `desk@books.example`
pub(crate) fn is_email(text: &str) -> bool {
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-');
    text.split_once('@')
        .is_some_and(|(name, domain)| is_visible(name) && domain.contains('.') && domain.split('.').all(is_label))
}

/// `image/png`
pub(crate) fn is_media_type(text: &str) -> bool {
    let is_rest = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || b".+-".contains(&c);
    text.split_once('/').is_some_and(|(kind, subtype)| {
        let is_kind = !kind.is_empty() && kind.bytes().all(|c| c.is_ascii_lowercase());
        is_kind && !subtype.starts_with(['.', '+', '-']) && !subtype.is_empty() && subtype.bytes().all(is_rest)
    })
}

/// `find_books`
pub(crate) fn is_tool_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_alphanumeric() || b"_-".contains(&c))
}

/// `USD`, `hours`, `get_service.currency`
pub(crate) fn is_unit(text: &str) -> bool {
    Unit::parse(text).is_some()
}

/// `none`
pub(crate) fn is_none(text: &str) -> bool {
    text == "none"
}

/// `book_id.keeper_id`
pub(crate) fn is_field_path(text: &str) -> bool {
    text.split('.').all(is_word)
}

/// `public.lend`
pub(crate) fn is_cause(text: &str) -> bool {
    text.split_once('.')
        .is_some_and(|(surface, endpoint)| is_word(surface) && is_word(endpoint))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'-')
}

fn is_visible(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(is_formed: fn(&str) -> bool, fit: &[&str], unfit: &[&str]) {
        for (texts, expected) in [(fit, true), (unfit, false)] {
            for text in texts {
                assert_eq!(is_formed(text), expected, "{text}");
            }
        }
    }

    #[test]
    fn a_version_has_three_numbers() {
        let unfit = [
            "",
            "1",
            "1.0",
            "1.0.0.0",
            "01.0.0",
            "1..0",
            "v1.0.0",
            "1.0.0-",
            "1.0.0 beta",
            "1.0.x",
        ];
        check(
            is_version,
            &["0.0.0", "1.0.0", "10.20.30", "2.0.0-beta.1", "1.0.0+7"],
            &unfit,
        );
    }

    #[test]
    fn the_address_of_a_page_is_absolute() {
        let unfit = [
            "",
            "https://",
            "books.example",
            "/terms",
            "https://a b",
            "ftp://books.example",
            "https://bücher.example",
        ];
        check(is_url, &["https://books.example/terms?a=b", "http://a"], &unfit);
    }

    #[test]
    fn an_address_to_write_to_has_a_name_and_a_domain() {
        let unfit = [
            "",
            "desk",
            "@books.example",
            "desk@",
            "desk@books",
            "a@b@c.example",
            "a b@c.example",
            "a@b..example",
        ];
        check(is_email, &["desk@books.example", "a.b+c@d-e.example"], &unfit);
    }

    #[test]
    fn a_cause_is_an_endpoint_of_a_surface() {
        check(
            is_cause,
            &["public.lend"],
            &["", "lend", "public.", ".lend", "a.b.c", "a b.c"],
        );
        check(
            is_field_path,
            &["id", "book_id.keeper_id", "Loan.reader_id"],
            &["", "a..b", ".a", "a.", "a b"],
        );
    }

    #[test]
    fn a_tool_has_a_name_that_every_client_accepts() {
        let long = "a".repeat(65);
        check(
            is_tool_name,
            &["find_books", "Find-2", &long[1..]],
            &["", "find books", "find.books", "bücher", &long],
        );
    }
}
