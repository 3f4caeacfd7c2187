//! Characters that a terminal obeys, or that nobody sees, written as escapes: what others wrote is shown, and does nothing.

/// The text with such characters as `\u{1b}`, ends of lines as `\n`: it stays on its line.
pub fn visible(text: &str) -> String {
    visible_lines(text).replace('\n', "\\n")
}

/// The text with such characters as `\u{1b}`, in as many lines as it has.
pub fn visible_lines(text: &str) -> String {
    escaped(text, |c| format!("\\u{{{:x}}}", c as u32))
}

/// JSON with such characters as `\u001b`; ends of lines, which stand between its members, stay.
pub fn visible_json(json: &str) -> String {
    escaped(json, |c| {
        let units = c.encode_utf16(&mut [0; 2]).to_vec();
        units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
    })
}

fn escaped(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c != '\n' && is_hidden(c) => out += &escape(c),
            c => out.push(c),
        }
    }
    out
}

/// Control characters, and characters that are invisible or change the direction of the text around them.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_and_all_else_stays() {
        let text = "佐藤 \u{1b}[31m\u{9b}2J\u{202e}\r\n\u{7f}\u{200b}🦑";
        assert_eq!(
            visible(text),
            "佐藤 \\u{1b}[31m\\u{9b}2J\\u{202e}\\u{d}\\n\\u{7f}\\u{200b}🦑"
        );
        assert_eq!(
            visible_lines(text),
            "佐藤 \\u{1b}[31m\\u{9b}2J\\u{202e}\\u{d}\n\\u{7f}\\u{200b}🦑"
        );
        assert_eq!(
            visible_json("{\"a\":\n\"\u{9b}\u{202e}\"}"),
            "{\"a\":\n\"\\u009b\\u202e\"}"
        );
    }
}
