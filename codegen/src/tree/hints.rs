//! What is probably wrong with a line that is no YAML: the reader says where it gave up, which is not yet why.

use crate::spec::Span;

/// Characters that look like one of YAML's and are another, with what is meant.
const LOOKALIKES: [(char, &str); 14] = [
    ('\u{a0}', "a no-break space (U+00A0) stands for a blank"),
    ('\u{3000}', "an ideographic space (U+3000) stands for a blank"),
    ('\u{201c}', "a curly quote (U+201C) stands for `\"`"),
    ('\u{201d}', "a curly quote (U+201D) stands for `\"`"),
    ('\u{2018}', "a curly quote (U+2018) stands for `'`"),
    ('\u{2019}', "a curly quote (U+2019) stands for `'`"),
    ('\u{ff1a}', "a full-width colon (U+FF1A) stands for `:`"),
    ('\u{ff0c}', "a full-width comma (U+FF0C) stands for `,`"),
    ('\u{3001}', "an ideographic comma (U+3001) stands for `,`"),
    ('\u{ff5b}', "a full-width brace (U+FF5B) stands for `{`"),
    ('\u{ff5d}', "a full-width brace (U+FF5D) stands for `}`"),
    ('\u{ff3b}', "a full-width bracket (U+FF3B) stands for `[`"),
    ('\u{ff3d}', "a full-width bracket (U+FF3D) stands for `]`"),
    ('\u{2013}', "a dash (U+2013) stands for `-`"),
];

/// What to look at, where the reader gave up at a place, saying `error`.
pub(super) fn hint(source: &str, at: Span, error: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    let last = at.line.min(lines.len());
    let near = last.saturating_sub(2)..last;
    for number in near.rev() {
        let line = lines.get(number)?;
        let mut indent = line.chars().take_while(|c| c.is_whitespace());
        if indent.any(|c| c == '\t') {
            return Some(format!(
                "line {} is indented with a tab: YAML takes blanks only",
                number + 1
            ));
        }
        if let Some((_, help)) = LOOKALIKES.iter().find(|(c, _)| line.contains(*c)) {
            return Some(format!("in line {} {help}", number + 1));
        }
    }
    let line = lines.get(last.checked_sub(1)?)?;
    let opened = place_of_opening(error);
    if error.contains("parsing a flow") {
        Some(in_flow(line, at.line, opened.unwrap_or(at.line)))
    } else if error.contains("mapping values") {
        Some(at_colon(line, at))
    } else if error.contains("cannot start any token") {
        let begin: String = line.chars().skip(at.column - 1).take(1).collect();
        Some(format!("a text that begins with {begin} needs quotes"))
    } else if error.contains("expected key") || error.contains("expected '-'") {
        Some(in_block(line, at.line, opened.unwrap_or(at.line)))
    } else if error.contains("anchor") {
        Some("a text that begins with `*` or `&` needs quotes".to_owned())
    } else if error.contains("more than one document") {
        Some("a contract is one document: remove the `---`".to_owned())
    } else if error.contains("quoted scalar") {
        Some("a quote is not closed".to_owned())
    } else if error.contains("could not find expected ':'") {
        Some("an entry is written `name: value`, with a blank behind the colon".to_owned())
    } else {
        None
    }
}

/// The line in which the collection begins that was being read: the last one that an error of the reader names.
fn place_of_opening(error: &str) -> Option<usize> {
    let (_, place) = error.rsplit_once("at line ")?;
    place.split(' ').next()?.parse().ok()
}

/// A colon behind which no value can stand.
fn at_colon(line: &str, at: Span) -> String {
    let before: String = line.chars().take(at.column - 1).collect();
    if before.contains(": ") {
        "a text with a colon and a blank inside needs quotes".to_owned()
    } else {
        "the entry before this line has a value already: is this line indented too far, or is a blank missing behind the \
         colon above?"
            .to_owned()
    }
}

/// What does not continue the `{ … }` or `[ … ]` that begins in the line `opened`.
fn in_flow(line: &str, number: usize, opened: usize) -> String {
    if opened < number {
        return format!("what is opened in line {opened} is not closed: a `}}`, a `]` or a quote is missing");
    }
    if line.matches('"').count() % 2 == 1 || line.matches('\'').count() % 2 == 1 {
        return "a quote is not closed, or stands inside a text: write the text in `\"…\"`".to_owned();
    }
    "between braces and brackets a text with `: `, `,`, `{`, `}`, `[` or `]`, or with `?` in front, needs quotes"
        .to_owned()
}

/// What does not continue the map or list that begins in the line `opened`.
fn in_block(line: &str, number: usize, opened: usize) -> String {
    let count = |wanted: char| line.matches(wanted).count();
    if count('{') != count('}') || count('[') != count(']') {
        return "braces and brackets of this line do not match".to_owned();
    }
    format!("the entries of one map begin in the same column: compare line {number} with line {opened}")
}
