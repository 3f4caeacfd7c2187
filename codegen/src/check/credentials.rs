//! Rules about credentials that can be confused, and character classes written as patterns.

use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Spec, StringDef, TypeDef, Word};

/// `credential`: two credentials of different kinds or realms have the same prefix, so that requests and leaks do not show
/// which one it is.
pub(super) fn same_prefix(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(&str, &Word)> = Vec::new();
    for (name, credential) in &spec.credentials {
        let others = credential.realms.iter().filter_map(|(_, realm)| realm.prefix.as_ref());
        for prefix in [&credential.prefix].into_iter().chain(others) {
            let twin = seen
                .iter()
                .find(|(_, other)| !prefix.text.is_empty() && other.text == prefix.text);
            if let Some((other, _)) = twin {
                let (name, prefix_text) = (&name.text, &prefix.text);
                let message = match *other == name {
                    true => format!("two prefixes of `{name}` are `{prefix_text}`"),
                    false => format!("`{other}` and `{name}` have the same prefix `{prefix_text}`"),
                };
                let diagnostic = Diagnostic::new(Rule::Credential, prefix.at, message);
                diagnostics.push(diagnostic.help("give each credential a prefix of its own"));
            }
            seen.push((&name.text, prefix));
        }
    }
}

/// `header-name`: the header is defined by HTTP, with a syntax that a bare credential does not have.
pub(super) fn credential_header(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, credential) in &spec.credentials {
        let header = &credential.header;
        let form = match header.text.to_ascii_lowercase().as_str() {
            "authorization" | "proxy-authorization" => "a scheme in front (`Bearer …`)",
            "cookie" => "names and values (`session=…`)",
            _ => continue,
        };
        let message = format!(
            "`{}` needs {form}, but a credential is the whole value of its header",
            header.text
        );
        diagnostics
            .push(Diagnostic::new(Rule::HeaderName, header.at, message).help("name another header, such as `X-Card`"));
    }
}

/// `bad-chars`: a regular expression where single characters and ranges are expected.
pub(super) fn pattern(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, named) in &spec.types {
        let TypeDef::String(StringDef { chars: Some(chars), .. }) = &named.def else {
            continue;
        };
        let text = chars.text.as_str();
        let is_bracketed = (text.starts_with('[') || text.starts_with("^[")) && text.contains(']') && text.len() > 2;
        let mut escapes = text
            .match_indices('\\')
            .filter_map(|(at, _)| text[at + 1..].chars().next());
        if is_bracketed || escapes.any(|c| "wWdDsSpPbn".contains(c)) {
            let message = format!(
                "`{text}` looks like a regular expression, but each of its characters would be \
                taken literally"
            );
            let help = "write only what stands between the brackets of a regular expression, as in `a-z0-9_-`";
            diagnostics.push(Diagnostic::new(Rule::BadChars, chars.at, message).help(help));
        }
    }
}
