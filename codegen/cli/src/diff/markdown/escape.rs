//! Escapes texts of a contract, so that a Markdown page shows them unchanged.

use visible::visible;

/// A text with names in backticks: these become code, and everything else is escaped.
pub(super) fn prose(text: &str) -> String {
    let text = visible(text);
    let parts: Vec<&str> = text.split('`').collect();
    // With an odd number of backticks, the last one has no pair.
    let paired = (parts.len() - 1) / 2 * 2;
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let is_code = index % 2 == 1 && index < paired;
        if is_code {
            // Two adjacent backticks would be a different delimiter than one.
            let blank = if out.ends_with('`') { " " } else { "" };
            out.push_str(&format!("{blank}{}", code(part)));
        } else {
            if index > paired {
                out.push_str("\\`");
            }
            out.push_str(&escaped(part));
        }
    }
    out
}

/// A text as inline code.
pub(super) fn code(text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    // A code span of blanks keeps them; one that begins or ends with a backtick needs blanks.
    let is_edged = text.starts_with('`') || text.ends_with('`');
    let is_stripped = text.starts_with(' ') && text.ends_with(' ') && !text.trim().is_empty();
    match text.is_empty() {
        true => "` `".to_owned(),
        false if is_edged || is_stripped => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

/// A text, escaped for a cell of a table.
pub(super) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

/// Lines as a diff block; empty if there are no lines.
pub(super) fn fenced(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let longest = lines.iter().map(|line| longest_run(line)).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: Vec<String> = lines.iter().map(|line| visible(line)).collect();
    format!("{fence}diff\n{}\n{fence}", lines.join("\n"))
}

/// The anchor of a heading, as common sites generate it.
pub(super) fn anchor(heading: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
        _ => None,
    };
    heading.chars().filter_map(kept).collect()
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        // The `:` of an address and the `@` of a name would become links.
        if matches!(
            c,
            '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '#' | '~' | '$' | '!' | ':' | '@'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(prose(text), expected);
    }

    #[test]
    fn names_become_code_and_the_rest_is_escaped() {
        check("`a_b` takes *100*, was <b>", "`a_b` takes \\*100\\*, was \\<b\\>");
        check("no name", "no name");
    }

    #[test]
    fn a_backtick_of_the_contract_opens_nothing() {
        check("`a`<img>`b`", "`a`\\<img\\>`b`");
        check("`a``b`", "`a` `b`");
        check("`a``<img>`", "`a` `<img>`");
        check("`a` `<img>", "`a` \\`\\<img\\>");
        check("``", "` `");
    }

    #[test]
    fn code_holds_any_backticks() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(fenced(&["```".to_owned()]), "````diff\n```\n````");
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        check("`\u{1b}[31m`\n\u{202e}", "`\\u{1b}[31m`\\\\n\\\\u{202e}");
    }
}
