//! Templates, compared with received texts.

use codegen::model::{Piece, Template};

/// The values of the placeholders, if `text` is the template with any.
pub(crate) fn match_template(template: &Template, mut text: &str) -> Option<Vec<(String, String)>> {
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
        if let Some((_, value)) = open.iter().find(|(known, _)| known == name) {
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

    #[test]
    fn a_template_matches_only_its_texts() {
        let check = |source: &str, text: &str, expected: Option<&[(&str, &str)]>| {
            let values = match_template(&template(source), text);
            let values = values
                .as_ref()
                .map(|all| all.iter().map(|(name, value)| (&**name, &**value)).collect::<Vec<_>>());
            assert_eq!(values.as_deref(), expected, "{source}");
        };
        check(
            "{noun} {id} is gone",
            "cat 4 is gone",
            Some(&[("noun", "cat"), ("id", "4")]),
        );
        check("{noun} is gone", "cat is here", None);
        check("{id} and {id}", "4 and 4", Some(&[("id", "4")]));
        check("{id} and {id}", "4 and 5", None);
        check("{faults}", "", Some(&[("faults", "")]));
        check("plain", "plain!", None);
    }
}
