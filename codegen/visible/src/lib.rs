//! Characters that a terminal obeys, or that nobody sees, written as escapes: what a contract says is shown, and does
//! nothing.

/// The text with such characters as `\u{1b}`, ends of lines as `\n`.
pub(crate) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => "\\n".to_owned(),
        c if is_hidden(c) => format!("\\u{{{:x}}}", c as u32),
        c => c.to_string(),
    };
    text.chars().map(shown).collect()
}

/// JSON with such characters as `\u001b`; ends of lines, which stand between its members, stay.
pub(crate) fn visible_json(json: &str) -> String {
    let shown = |c: char| match c {
        // None of them is beyond the plane that four digits reach.
        c if c != '\n' && is_hidden(c) => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    };
    json.chars().map(shown).collect()
}

/// Controls, and marks that turn the direction of what stands around them or take no room.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{200b}'..='\u{200f}'
        )
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}
