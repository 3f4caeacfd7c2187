//! New files for the owner only, with records as CSV or as JSON lines.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::error::CommandError;

/// The file while it is written.
pub(super) struct TableFile {
    path: PathBuf,
    columns: Vec<&'static str>,
    form: Form,
}

enum Form {
    Csv(Box<csv::Writer<File>>),
    Jsonl(BufWriter<File>),
}

impl TableFile {
    /// A new file with these columns: JSON lines if its name ends so, else CSV. `undone`: what was not done if it cannot be
    /// created, such as `nobody was invited`.
    ///
    /// # Errors
    /// If there is a file already, or it cannot be created.
    pub(super) fn create(path: &Path, columns: &[&'static str], undone: &str) -> Result<Self, CommandError> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let file = file.map_err(|error| {
            let path = path.display();
            CommandError::new(match error.kind() {
                std::io::ErrorKind::AlreadyExists => format!("{path} exists already: name a new file; {undone}"),
                _ => format!("cannot create {path}: {error}; {undone}"),
            })
        })?;
        let is_jsonl = path.extension().is_some_and(|extension| extension == "jsonl");
        let mut table = Self {
            path: path.to_owned(),
            columns: columns.to_vec(),
            form: match is_jsonl {
                true => Form::Jsonl(BufWriter::new(file)),
                false => Form::Csv(Box::new(csv::Writer::from_writer(file))),
            },
        };
        if let Form::Csv(rows) = &mut table.form {
            let written = rows.write_record(&table.columns);
            written.map_err(|error| table.unwritable(&error))?;
        }
        Ok(table)
    }

    /// Writes these records, and passes them to the operating system.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(&mut self, records: &[Value]) -> Result<(), CommandError> {
        let written = match &mut self.form {
            Form::Csv(rows) => records
                .iter()
                .try_for_each(|record| rows.write_record(self.columns.iter().map(|name| cell(&record[*name]))))
                .and_then(|()| Ok(rows.flush()?))
                .map_err(std::io::Error::other),
            Form::Jsonl(lines) => records
                .iter()
                .try_for_each(|record| writeln!(lines, "{record}"))
                .and_then(|()| lines.flush()),
        };
        written.map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &dyn std::fmt::Display) -> CommandError {
        CommandError::new(format!("cannot write {}: {error}", self.path.display()))
    }
}

/// A cell that no spreadsheet takes for a formula (OWASP, CSV injection). Skills are written as `hitode import` reads them.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(items) => items.iter().map(item).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    };
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !value.is_number() {
        true => format!("'{text}"),
        false => text,
    }
}

fn item(item: &Value) -> String {
    match (item, &item["name"], &item["category"]) {
        (_, Value::String(name), Value::String(category)) => format!("{name}:{category}"),
        (Value::String(text), ..) => text.clone(),
        (other, ..) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cell_is_no_formula() {
        for (value, expected) in [
            (json!("=1+1"), "'=1+1"),
            (json!("@a"), "'@a"),
            (json!("佐藤 純子"), "佐藤 純子"),
            (json!(-7), "-7"),
            (json!(null), ""),
            (
                json!([{ "id": 1, "name": "Cooking", "category": "Home" }, { "name": "a", "category": "b" }]),
                "Cooking:Home; a:b",
            ),
            (json!(["-x", "y"]), "'-x; y"),
            (json!([{ "url": "u" }]), r#"{"url":"u"}"#),
        ] {
            assert_eq!(cell(&value), expected);
        }
    }
}
