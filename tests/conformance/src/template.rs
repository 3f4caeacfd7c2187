//! Texts with `{placeholders}`, compared with received texts.

/// Whether `text` is the template with these values. A placeholder without a value may have any value; these values are
/// returned.
pub(crate) fn match_template(template: &str, values: &[(&str, String)], text: &str) -> Option<Vec<(String, String)>> {
    let mut open: Vec<(String, String)> = Vec::new();
    let (mut template, mut text) = (template, text);
    loop {
        let (literal, rest) = template.split_once('{').unwrap_or((template, ""));
        text = text.strip_prefix(literal)?;
        let Some((name, behind)) = rest.split_once('}') else {
            return text.is_empty().then_some(open);
        };
        let known = values
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.as_str());
        let known = known.or_else(|| {
            open.iter()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.as_str())
        });
        text = if let Some(value) = known {
            text.strip_prefix(value)?
        } else {
            let next = behind.split('{').next().unwrap_or_default();
            let end = if next.is_empty() { text.len() } else { text.find(next)? };
            open.push((name.to_owned(), text[..end].to_owned()));
            &text[end..]
        };
        template = behind;
    }
}

/// The template with these values; other placeholders stay.
pub(crate) fn fill_template(template: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, values: &[(&str, &str)], text: &str, expected: Option<&[(&str, &str)]>) {
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
        assert_eq!(match_template(template, &values, text), expected.map(owned));
    }

    #[test]
    fn a_template_matches_only_its_texts() {
        check(
            "{noun} {id} is gone",
            &[("noun", "cat"), ("id", "3")],
            "cat 3 is gone",
            Some(&[]),
        );
        check(
            "{noun} {id} is gone",
            &[("noun", "cat"), ("id", "3")],
            "cat 4 is gone",
            None,
        );
        check(
            "{noun} {id} is gone",
            &[("noun", "cat")],
            "cat 4 is gone",
            Some(&[("id", "4")]),
        );
        check("{id} and {id}", &[], "4 and 4", Some(&[("id", "4")]));
        check("{id} and {id}", &[], "4 and 5", None);
        check("{faults}", &[], "", Some(&[("faults", "")]));
        check("plain", &[], "plain!", None);
        assert_eq!(fill_template("{a}{b}", &[("a", "1".to_owned())]), "1{b}");
    }
}
