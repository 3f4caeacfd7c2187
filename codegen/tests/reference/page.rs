//! A Markdown page with readable lines.

use std::fmt::Write;

const WIDTH: usize = 120;

/// The page so far.
#[derive(Default)]
pub(super) struct Page(String);

impl Page {
    pub(super) fn comment(&mut self, text: &str) {
        let _ = write!(self.0, "<!-- {text} -->\n\n");
    }

    pub(super) fn heading(&mut self, level: usize, title: &str) {
        let _ = write!(self.0, "{} {title}\n\n", "#".repeat(level));
    }

    /// Paragraphs and lists; several lines are filled again.
    pub(super) fn paragraph(&mut self, text: &str) {
        for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
            match paragraph.strip_prefix("- ") {
                Some(items) => items.split("\n- ").for_each(|item| self.item(0, item)),
                None => self.0.push_str(&filled(paragraph, "", "")),
            }
            self.0.push('\n');
        }
    }

    /// An item of a list at a depth.
    pub(super) fn item(&mut self, depth: usize, text: &str) {
        self.item_of_lines(depth, &[text]);
    }

    /// An item of a list that keeps its line breaks.
    pub(super) fn item_of_lines(&mut self, depth: usize, lines: &[&str]) {
        let indent = "  ".repeat(depth);
        let (first, rest) = (format!("{indent}- "), format!("{indent}  "));
        let lines = lines.iter().enumerate().map(|(number, line)| match number {
            0 => filled(line, &first, &rest),
            _ => filled(line, &rest, &rest),
        });
        let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
        self.0.push_str(&lines.join("\\\n"));
        self.0.push('\n');
    }

    pub(super) fn end_of_list(&mut self) {
        self.0.push('\n');
    }

    pub(super) fn row(&mut self, cells: &[&str]) {
        let _ = writeln!(self.0, "| {} |", cells.join(" | "));
    }

    pub(super) fn example(&mut self, yaml: &str) {
        let _ = write!(self.0, "```yaml\n{yaml}\n```\n\n");
    }

    pub(super) fn text(self) -> String {
        self.0
    }
}

/// Text in lines of at most [`WIDTH`] characters, if code and links can stay whole.
fn filled(text: &str, first: &str, rest: &str) -> String {
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in words(text) {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push_str(&line);
            lines.push('\n');
            line = rest.to_owned();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(&word);
        is_empty = false;
    }
    lines + &line + "\n"
}

/// The words of a text; code and the text of a link are one word each.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut in_code, mut in_link) = (false, false);
    for c in text.chars() {
        match c {
            '`' => in_code = !in_code,
            '[' if !in_code => in_link = true,
            ']' if !in_code => in_link = false,
            _ => {}
        }
        match c {
            c if c.is_whitespace() && !in_code && !in_link => words.push(std::mem::take(&mut word)),
            c if c.is_whitespace() => word.push(' '),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// A link to a heading of this page.
pub(super) fn link(text: &str, heading: &str) -> String {
    format!("[{text}](#{})", anchor(heading))
}

/// The anchor that a heading has.
pub(super) fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// The text with a lower-case first letter, unless the first word is a name.
pub(super) fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}

#[test]
fn a_list_stays_a_list_and_a_paragraph_is_filled() {
    let mut page = Page::default();
    page.paragraph("Two\nlines.\n\n- One\n  item.\n- Another.\n\nBehind.");
    assert_eq!(page.text(), "Two lines.\n\n- One item.\n- Another.\n\nBehind.\n\n");
}
