//! Templates, compared with received texts.

use codegen::model::{Piece, Template};

/// Whether `text` is the template with these values. A placeholder without a value may have any value; these values are
/// returned.
pub(crate) fn match_template(
    template: &Template,
    values: &[(&str, String)],
    mut text: &str,
) -> Option<Vec<(String, String)>> {
    let mut open: Vec<(String, String)> = Vec::new();
    let mut pieces = template.0.iter().peekable();
    while let Some(piece) = pieces.next() {
        let name = match piece {
            Piece::Text(literal) => {
                text = text.strip_prefix(literal.as_str())?;
                continue;
            }
            Piece::Placeholder(name) => name,
        };
        let given = values.iter().map(|(known, value)| (*known, value));
        let mut known = given.chain(open.iter().map(|(known, value)| (known.as_str(), value)));
        if let Some((_, value)) = known.find(|(known, _)| known == name) {
            text = text.strip_prefix(value.as_str())?;
            continue;
        }
        let end = match pieces.peek() {
            Some(Piece::Text(next)) => text.find(next.as_str())?,
            _ => text.len(),
        };
        open.push((name.clone(), text[..end].to_owned()));
        text = &text[end..];
    }
    text.is_empty().then_some(open)
}

/// The template with these values; other placeholders stay.
pub(crate) fn fill_template(template: &Template, values: &[(&str, String)]) -> String {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name);
    let filled = template.filled(|name| value(name).map(|(_, value)| value.clone()));
    filled.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(source: &str) -> Template {
        let pieces = source.split(['{', '}']).enumerate();
        let piece = |(index, text): (usize, &str)| match index % 2 {
            0 => Piece::Text(text.to_owned()),
            _ => Piece::Placeholder(text.to_owned()),
        };
        Template(pieces.filter(|(_, text)| !text.is_empty()).map(piece).collect())
    }

    #[track_caller]
    fn check(source: &str, values: &[(&str, &str)], text: &str, expected: Option<&[(&str, &str)]>) {
        let values: Vec<_> = values
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect();
        let owned = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            match_template(&template(source), &values, text),
            expected.map(owned),
            "{source}"
        );
    }

    #[test]
    fn a_template_matches_only_its_texts() {
        let cat = &[("noun", "cat"), ("id", "3")];
        check("{noun} {id} is gone", cat, "cat 3 is gone", Some(&[]));
        check("{noun} {id} is gone", cat, "cat 4 is gone", None);
        check("{noun} {id} is gone", &cat[..1], "cat 4 is gone", Some(&[("id", "4")]));
        check("{id} and {id}", &[], "4 and 4", Some(&[("id", "4")]));
        check("{id} and {id}", &[], "4 and 5", None);
        check("{faults}", &[], "", Some(&[("faults", "")]));
        check("plain", &[], "plain!", None);
        assert_eq!(fill_template(&template("{a}{b}"), &[("a", "1".to_owned())]), "1{b}");
    }
}
