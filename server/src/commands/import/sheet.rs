//! Reads a table (CSV, or with semicolons or tabs) as JSON lines, one for each row. The first row names the columns; a line has the
//! number of its row.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use clap::Args;
use contract::operator::create_human;
use contract::support::description::{FieldDescription, FieldKind};
use csv::{Reader, ReaderBuilder, StringRecord};
use encoding_rs::{Encoding, SHIFT_JIS, UTF_8};
use encoding_rs_io::DecodeReaderBytesBuilder;
use serde_json::{Map, Number, Value, json};

use super::lines::LONGEST;
use crate::commands::error::CommandError;

/// The members of a worker.
const MEMBERS: &[FieldDescription] = create_human::DESCRIPTION.body;

/// The member whose cells are written `NAME:CATEGORY; NAME:CATEGORY`.
const SKILLS: &str = "skills";

/// How a table is read.
#[derive(Debug, Clone, Args)]
pub(super) struct SheetOptions {
    /// For a table: the column with a member of a worker, such as name=氏名; can be repeated
    #[arg(long, env = "HITODE_MAP", value_name = "MEMBER=COLUMN", value_parser = pair)]
    map: Vec<(String, String)>,

    /// For a table: a column to leave out; can be repeated
    #[arg(long, env = "HITODE_IGNORE", value_name = "COLUMN")]
    ignore: Vec<String>,

    /// For a table: the encoding of its text, such as shift_jis [default: UTF-8, or Shift_JIS if it cannot be that]
    #[arg(long, env = "HITODE_ENCODING", value_name = "NAME", value_parser = encoding)]
    encoding: Option<&'static Encoding>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (member, column) = text
        .split_once('=')
        .ok_or("expected MEMBER=COLUMN, such as name=氏名")?;
    match MEMBERS.iter().any(|one| one.name == member) {
        true => Ok((member.to_owned(), column.trim().to_owned())),
        false => Err(format!(
            "a worker has no member `{member}`; it has {}",
            names(MEMBERS.iter())
        )),
    }
}

fn encoding(name: &str) -> Result<&'static Encoding, String> {
    let known = Encoding::for_label(name.as_bytes());
    known.ok_or_else(|| "unknown encoding; expected a name such as utf-8, shift_jis or euc-jp".to_owned())
}

fn names<'f>(fields: impl Iterator<Item = &'f FieldDescription>) -> String {
    let names: Vec<String> = fields.map(|field| format!("`{}`", field.name)).collect();
    names.join(", ")
}

/// A table as JSON lines.
pub(super) struct Sheet {
    rows: Reader<Box<dyn Read>>,
    columns: Vec<Column>,
    encoding: &'static Encoding,
    /// What was converted, and how much of it was read.
    lines: Vec<u8>,
    read: usize,
}

/// What a column has.
enum Column {
    Member(&'static FieldDescription),
    Ignored,
}

impl Sheet {
    /// Whether a file is one: by its name, or because its encoding is given.
    pub(super) fn is_meant(file: &Path, options: &SheetOptions) -> bool {
        let extension = file.extension().and_then(|extension| extension.to_str());
        options.encoding.is_some() || extension.is_some_and(|one| ["csv", "tsv"].contains(&one.to_lowercase().as_str()))
    }

    /// Reads the names of the columns.
    ///
    /// # Errors
    /// If a column is unknown, or one is missing that every worker needs.
    pub(super) fn open(mut input: Box<dyn BufRead>, options: &SheetOptions) -> Result<Self, CommandError> {
        let unreadable = |error: &dyn std::fmt::Display| CommandError::new(format!("cannot read the table: {error}"));
        let start = input.fill_buf().map_err(|error| unreadable(&error))?;
        let encoding = options.encoding.unwrap_or_else(|| encoding_of(start));
        let mut decoder = DecodeReaderBytesBuilder::new();
        // A byte order mark says more than a guess.
        let decoder = decoder.encoding(Some(encoding)).bom_override(true).strip_bom(true);
        let decoded = decoder.build(input);
        let mut decoded = BufReader::with_capacity(1 << 16, decoded);
        let mut first = Vec::new();
        let read = decoded.by_ref().take(LONGEST as u64).read_until(b'\n', &mut first);
        read.map_err(|error| unreadable(&error))?;
        let delimiter = delimiter_of(&first);
        let decoded = io::Cursor::new(first).chain(decoded);
        let mut rows = ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .from_reader(Box::new(decoded) as Box<dyn Read>);
        let header = rows.headers().map_err(|error| unreadable(&error))?.clone();
        let columns = columns(&header, options).map_err(CommandError::new)?;
        Ok(Self {
            rows,
            columns,
            encoding,
            // The line of the names.
            lines: b"\n".to_vec(),
            read: 0,
        })
    }

    /// Converts the next row. Returns whether there was one.
    fn convert(&mut self) -> io::Result<bool> {
        let mut row = StringRecord::new();
        let is_row = self.rows.read_record(&mut row).map_err(io::Error::other)?;
        if !is_row {
            return Ok(false);
        }
        if row.iter().any(|cell| cell.contains(char::REPLACEMENT_CHARACTER)) {
            let number = row.position().map_or(0, |position| position.record() + 1);
            let text = format!(
                "row {number} has characters that are none in {}: name the encoding of the file with --encoding",
                self.encoding.name()
            );
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        let line = Value::Object(self.worker(&row)).to_string();
        self.lines.clear();
        self.lines.extend_from_slice(line.as_bytes());
        self.lines.push(b'\n');
        self.read = 0;
        Ok(true)
    }

    fn worker(&self, row: &StringRecord) -> Map<String, Value> {
        let mut worker = Map::new();
        for (number, cell) in row.iter().enumerate() {
            match self.columns.get(number) {
                Some(Column::Member(member)) => {
                    if let Some(value) = value(member, cell.trim()) {
                        worker.insert(member.name.to_owned(), value);
                    }
                }
                Some(Column::Ignored) => {}
                // The server rejects it by its name.
                None if cell.trim().is_empty() => {}
                None => drop(worker.insert(format!("column {}", number + 1), Value::from(cell))),
            }
        }
        worker
    }
}

impl Read for Sheet {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(into.len());
        into[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Sheet {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.lines.len() && !self.convert()? {
            return Ok(&[]);
        }
        Ok(&self.lines[self.read..])
    }

    fn consume(&mut self, count: usize) {
        self.read += count;
    }
}

/// The encoding of a text that starts like this. Shift_JIS is what spreadsheets in Japan write beside UTF-8.
fn encoding_of(start: &[u8]) -> &'static Encoding {
    match std::str::from_utf8(start) {
        Err(error) if error.error_len().is_some() => SHIFT_JIS,
        _ => UTF_8,
    }
}

/// The separator that the first line has most.
fn delimiter_of(first: &[u8]) -> u8 {
    let count = |separator: &u8| first.iter().filter(|byte| *byte == separator).count();
    *b",;\t"
        .iter()
        .rev()
        .max_by_key(|one| count(one))
        .expect("there are three")
}

/// `Hourly rate` as a member: `hourly_rate`.
fn as_member(header: &str) -> String {
    header.to_lowercase().replace([' ', '-'], "_")
}

fn columns(header: &StringRecord, options: &SheetOptions) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    let mut found: Vec<&str> = Vec::new();
    for name in header.iter().map(str::trim) {
        if options.ignore.iter().any(|ignored| ignored == name) {
            columns.push(Column::Ignored);
            continue;
        }
        let mapped = options.map.iter().find(|(_, column)| column == name);
        let member = mapped.map_or_else(|| as_member(name), |(member, _)| member.clone());
        let Some(member) = MEMBERS.iter().find(|one| one.name == member) else {
            return Err(format!(
                "the column `{name}` is no member of a worker: map it with --map MEMBER='{name}', or leave it out with \
                 --ignore '{name}'; a worker has {}",
                names(MEMBERS.iter())
            ));
        };
        if found.contains(&member.name) {
            return Err(format!(
                "two columns are `{}`: leave one out with --ignore",
                member.name
            ));
        }
        found.push(member.name);
        columns.push(Column::Member(member));
    }
    let unmapped = |(_, column): &&(String, String)| !header.iter().any(|name| name.trim() == *column);
    if let Some((member, column)) = options.map.iter().find(unmapped) {
        return Err(format!("there is no column `{column}` for `{member}`; check --map"));
    }
    let missing: Vec<_> = MEMBERS
        .iter()
        .filter(|one| one.required && !found.contains(&one.name))
        .collect();
    match missing.is_empty() {
        true => Ok(columns),
        false => Err(format!(
            "no column is {}: every worker needs these; map a column of another name with --map MEMBER=COLUMN",
            names(missing.into_iter())
        )),
    }
}

/// The value of a cell. `None`: the member is absent. What is no such value is passed on as a text, which the server rejects.
fn value(member: &FieldDescription, cell: &str) -> Option<Value> {
    if cell.is_empty() {
        let empty = match member.kind {
            FieldKind::Json => json!([]),
            _ => Value::from(""),
        };
        return member.required.then_some(empty);
    }
    let is = |words: &[&str]| words.contains(&cell.to_lowercase().as_str());
    Some(match member.kind {
        FieldKind::Text => Value::from(cell),
        FieldKind::Word(_) => Value::from(cell.to_lowercase()),
        FieldKind::Number => number(cell).map_or_else(|| Value::from(cell), Value::Number),
        FieldKind::Boolean if is(&["true", "yes", "1", "はい"]) => Value::from(true),
        FieldKind::Boolean if is(&["false", "no", "0", "いいえ"]) => Value::from(false),
        FieldKind::Boolean => Value::from(cell),
        FieldKind::Json => match serde_json::from_str(cell) {
            Ok(value) => value,
            Err(_) if member.name == SKILLS => skills(cell),
            Err(_) => Value::from(cell),
        },
    })
}

/// A number, also with full-width digits or with commas between thousands.
fn number(cell: &str) -> Option<Number> {
    let narrow = |letter: char| match letter {
        '０'..='９' => char::from_u32(letter as u32 - '０' as u32 + '0' as u32).unwrap_or(letter),
        '，' => ',',
        '．' => '.',
        other => other,
    };
    let text: String = cell.chars().map(narrow).collect();
    let (whole, _) = text.split_once('.').unwrap_or((&text, ""));
    let mut groups = whole.split(',').skip(1);
    let is_grouped = groups.all(|group| group.len() == 3);
    let text = if is_grouped { text.replace(',', "") } else { text };
    serde_json::from_str(&text).ok()
}

/// `Photography:Photo; Cooking:Home`
fn skills(cell: &str) -> Value {
    let items = cell.split([';', '；']).map(str::trim).filter(|item| !item.is_empty());
    let skill = |item: &str| match item.split_once([':', '：']) {
        Some((name, category)) => json!({ "name": name.trim(), "category": category.trim() }),
        None => json!({ "name": item }),
    };
    items.map(skill).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "Name,headline,bio,city,state,gender,Hourly rate,skills,is_verified";

    fn options() -> SheetOptions {
        SheetOptions {
            map: Vec::new(),
            ignore: Vec::new(),
            encoding: None,
        }
    }

    fn lines(table: &[u8], options: &SheetOptions) -> Result<Vec<String>, String> {
        let input = Box::new(io::Cursor::new(table.to_vec()));
        let sheet = Sheet::open(input, options).map_err(|error| error.to_string())?;
        let lines: io::Result<Vec<String>> = sheet.lines().collect();
        lines.map_err(|error| error.to_string())
    }

    #[test]
    fn a_row_is_a_line_whose_values_have_the_types_of_the_contract() {
        let row = "佐藤 純子,\"Cook, at home\",,足立区,東京都,Female,\"2,800\",Cooking:Home; 写真：Photo,yes";
        let expected = json!({
            "name": "佐藤 純子", "headline": "Cook, at home", "bio": "", "city": "足立区", "state": "東京都",
            "gender": "female", "hourly_rate": 2800,
            "skills": [{ "name": "Cooking", "category": "Home" }, { "name": "写真", "category": "Photo" }],
            "is_verified": true,
        });
        let table = format!("{HEADER}\r\n{row}\r\n");
        let (shift_jis, ..) = SHIFT_JIS.encode(&table);
        let utf_16: Vec<u8> = format!("\u{feff}{table}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let tabs = HEADER.replace(',', "\t")
            + "\n"
            + &row
                .replace("\"Cook, at home\"", "Cook- at home")
                .replace("\"2,800\"", "２８００")
                .replace(',', "\t")
                .replace("Cook-", "Cook,");
        for table in [
            table.as_bytes(),
            format!("\u{feff}{table}").as_bytes(),
            &shift_jis,
            &utf_16,
            tabs.as_bytes(),
        ] {
            let lines = lines(table, &options()).expect("it is a table");
            assert_eq!(lines[0], "", "the line of the names");
            let worker: Value = serde_json::from_str(&lines[1]).expect("JSON");
            assert_eq!(worker, expected);
            assert_eq!(lines.len(), 2);
        }
    }

    #[test]
    fn what_is_no_value_is_left_to_the_server() {
        let row = "A,B,C,D,E,F,about 20,[1],perhaps,more";
        let lines = lines(format!("{HEADER}\n{row}\n").as_bytes(), &options()).expect("it is a table");
        let worker: Value = serde_json::from_str(&lines[1]).expect("JSON");
        assert_eq!(
            (
                &worker["hourly_rate"],
                &worker["skills"],
                &worker["is_verified"],
                &worker["column 10"]
            ),
            (&json!("about 20"), &json!([1]), &json!("perhaps"), &json!("more"))
        );
    }

    #[test]
    fn columns_are_mapped_and_left_out() {
        let header = HEADER.replace("Name", "氏名") + ",電話";
        let options = SheetOptions {
            map: vec![("name".to_owned(), "氏名".to_owned())],
            ignore: vec!["電話".to_owned()],
            ..options()
        };
        let table = format!("{header}\nA,B,C,D,E,other,1,,,090\n");
        let lines = lines(table.as_bytes(), &options).expect("it is a table");
        let worker: Value = serde_json::from_str(&lines[1]).expect("JSON");
        assert_eq!((&worker["name"], &worker["skills"]), (&json!("A"), &json!([])));
        assert_eq!((worker.get("電話"), worker.get("is_verified")), (None, None));
    }

    #[test]
    fn a_table_that_cannot_be_read_says_what_to_do() {
        let why = |table: &str| lines(table.as_bytes(), &options()).expect_err("it cannot be read");
        assert!(why(&format!("{HEADER},電話\n")).contains("--ignore '電話'"));
        assert!(why("name,city\n").contains("no column is `headline`, `bio`, `state`"));
        assert!(why(&format!("{HEADER},name\n")).contains("two columns are `name`"));
        assert!(why("").contains("no column is `name`"));
        let broken = [HEADER.as_bytes(), b"\n", &[b'x'; 70_000], "\n".as_bytes(), b"\xff\xfe"].concat();
        let why = lines(&broken, &options()).expect_err("it is no UTF-8");
        assert!(why.contains("row 3") && why.contains("--encoding"), "{why}");
    }
}
