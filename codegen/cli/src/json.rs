//! JSON for files that people read: a list or an object that fits is on one line.

use serde::Serialize;

/// Maximum width of a list or an object on one line.
const LINE: usize = 110;

/// The value as JSON in lines, with a newline at its end.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(value).expect("the value has only texts, numbers, lists and named members");
    joined(&json) + "\n"
}

/// Joins the lines of each list and object that fit. `json` has each item and each bracket on a line of its own.
fn joined(json: &str) -> String {
    // The lines of the brackets that are open.
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    for line in json.lines() {
        let opens = line.ends_with(['[', '{']);
        let closes = line.trim_start().starts_with([']', '}']);
        if opens {
            open.push(Vec::new());
        }
        open.last_mut().expect("the file is open").push(line.to_owned());
        if closes {
            let group = open.pop().expect("the file is open");
            let around = open.last_mut().expect("each bracket closes once");
            match on_one_line(&group) {
                Some(line) => around.push(line),
                None => around.extend(group),
            }
        }
    }
    open.concat().join("\n")
}

fn on_one_line(group: &[String]) -> Option<String> {
    let width: usize = group.iter().map(|line| line.trim_start().chars().count() + 1).sum();
    if width > 2 * LINE {
        return None;
    }
    let (first, rest) = group.split_first()?;
    let space = if first.ends_with('{') { " " } else { "" };
    let (last, items) = rest.split_last()?;
    let items: Vec<&str> = items.iter().map(|line| line.trim_start()).collect();
    let line = format!("{first}{space}{}{space}{}", items.join(" "), last.trim_start());
    (line.chars().count() <= LINE).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::pretty;
    use serde_json::{Value, json};

    #[test]
    fn what_fits_is_on_one_line() {
        let long = "x".repeat(100);
        let value = json!({ "a": [1, { "b": "[" }], "c": {}, "d": [], "e": { "long": long, "f": ["{", 2] } });
        let expected = format!(
            r#"{{
  "a": [1, {{ "b": "[" }}],
  "c": {{}},
  "d": [],
  "e": {{
    "f": ["{{", 2],
    "long": "{long}"
  }}
}}
"#
        );
        assert_eq!(pretty(&value), expected);
        assert_eq!(serde_json::from_str::<Value>(&expected).expect("it is JSON"), value);
    }
}
