//! `hitode import`: enters the workers of a file: one JSON object per line, or a table.
//!
//! In reading order: `sheet` (a table as JSON lines), `format` (an input in another format) → `lines` (the input) → `batch` (the lines of one request) →
//! `importer` (the protocol, with `journal` to continue after an interruption, `rejects` for lines to be corrected and
//! `warning` for suspicious values) → `report` (the progress, with `interrupt` to stop).

mod backoff;
mod batch;
mod format;
mod importer;
mod interrupt;
mod journal;
mod lines;
mod rejects;
mod report;
mod sheet;
mod warning;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde_json::json;
use visible::visible_json;

use self::batch::Batches;
use self::format::TABLE;
use self::importer::{Importer, changed, unreadable};
use self::journal::{Journal, JournalStep};
use self::lines::Lines;
use self::rejects::Rejects;
use self::report::Report;
use self::sheet::{Sheet, SheetOptions};
use super::connection::Connection;
use super::error::CommandError;
use super::output::{Output, counted, print, remark};

/// `hitode import FILE`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Import {
    /// The file: one worker per line as a JSON object, or a table (CSV) with a row for each; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The file for the progress, from which the same command continues after an interruption
    /// [default: FILE.progress]
    #[arg(long, env = "HITODE_PROGRESS", value_name = "FILE")]
    progress: Option<PathBuf>,

    /// The file to which rejected lines are added, to be corrected and imported [default: FILE.rejects]
    #[arg(long, env = "HITODE_REJECTS", value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Check the lines and report what would be entered or rejected, without calling the server
    #[arg(long, env = "HITODE_DRY_RUN", value_parser = BoolishValueParser::new())]
    dry_run: bool,

    /// Let a line with the `external_id` of a worker change that worker; otherwise it is rejected
    #[arg(long, env = "HITODE_UPDATE", value_parser = BoolishValueParser::new())]
    update: bool,

    #[command(flatten)]
    sheet: SheetOptions,

    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Import {
    pub(crate) fn run(self) -> Result<ExitCode, CommandError> {
        // The system delivers signals to the first thread and would interrupt a call there.
        let work = std::thread::spawn(move || self.enter());
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    fn enter(self) -> Result<ExitCode, CommandError> {
        let client = (!self.dry_run).then(|| self.connection.client()).transpose()?;
        let (mut input, bytes) = self.open()?;
        let foreign = format::foreign(&mut input).map_err(|error| unreadable(&error))?;
        let is_table = Sheet::is_meant(&self.file, &self.sheet) || foreign.is_some_and(|(what, _)| what == TABLE);
        if is_table {
            input = Box::new(Sheet::open(input, &self.sheet)?);
        } else if let Some((what, help)) = foreign {
            let file = match self.file == Path::new("-") {
                true => "standard input".into(),
                false => self.file.to_string_lossy(),
            };
            return Err(CommandError::new(format!(
                "{file} is {what}, but each line must be a worker as a JSON object; nothing was entered; {help}"
            )));
        }
        let mut journal = match bytes {
            Some(_) if !self.dry_run => Journal::open(
                &self.path_with_extension("progress", &self.progress),
                self.connection.url(),
            )?,
            _ => Journal::without_file()?,
        };
        let earlier = journal.state.entered;
        let mut lines = Lines::from_input(input);
        if let Some(settled) = journal.state.settled.clone() {
            match lines.skip_to(&settled).map_err(|error| unreadable(&error))? {
                true => remark(&format!(
                    "continuing after line {}: {} has the outcome of the lines before",
                    settled.line,
                    self.path_with_extension("progress", &self.progress).display()
                )),
                false => return Err(changed(settled.line)),
            }
        }
        let report = Report::for_input(bytes.filter(|_| !is_table))
            .map_err(|error| CommandError::new(format!("cannot handle signals: {error}")))?;
        let mut importer = Importer {
            client: client.as_ref(),
            journal: &mut journal,
            report: &report,
            rejects: Rejects(self.rejects_file(bytes.is_some())),
            is_update: self.update,
        };
        let ended = importer.run(&mut Batches::from_lines(lines));
        report.end();
        let reported = self.print_summary(&journal, earlier, ended.is_ok());
        // The error of the import is more important than the failure to report it.
        ended.and(reported).map(|()| match journal.state.rejected {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        })
    }

    /// The input, and its length if it is a file that can be read again.
    fn open(&self) -> Result<(Box<dyn BufRead>, Option<u64>), CommandError> {
        if self.file == Path::new("-") {
            return Ok((buffered(io::stdin()), None));
        }
        let named = |error: io::Error| CommandError::new(format!("cannot read {}: {error}", self.file.display()));
        let file = File::open(&self.file).map_err(named)?;
        let about = file.metadata().map_err(named)?;
        let bytes = about.is_file().then_some(about.len());
        Ok((buffered(file), bytes))
    }

    /// A file that an option names; by default, beside the input.
    fn path_with_extension(&self, extension: &str, named: &Option<PathBuf>) -> PathBuf {
        named.clone().unwrap_or_else(|| {
            let mut name = self.file.clone().into_os_string();
            name.push(format!(".{extension}"));
            name.into()
        })
    }

    /// The file for rejected lines. A dry run writes none, and standard input has no place for one.
    fn rejects_file(&self, is_file: bool) -> Option<PathBuf> {
        let has_place = is_file || self.rejects.is_some();
        (has_place && !self.dry_run).then(|| self.path_with_extension("rejects", &self.rejects))
    }

    /// Reports the outcome of all lines, including those of earlier runs, which entered `earlier` workers.
    fn print_summary(&self, journal: &Journal, earlier: u64, finished: bool) -> Result<(), CommandError> {
        if self.output.json {
            return document(journal, finished);
        }
        if !finished {
            return Ok(());
        }
        if self.dry_run {
            return print(&format!(
                "{} would be entered, {} would be rejected. Nothing was sent.",
                counted(journal.state.entered, "worker"),
                counted(journal.state.rejected, "line")
            ));
        }
        let mut more = String::new();
        if journal.state.rejected > 0 {
            more += &match self.rejects_file(journal.path().is_some()) {
                Some(path) => format!(
                    "\nCorrect the rejected lines in {}, and import that file.",
                    path.display()
                ),
                None => "\nCorrect the rejected lines in a file, and import it.".to_owned(),
            };
        }
        match journal.path().map(Path::display) {
            Some(path) if earlier > 0 => {
                more += &format!(
                    "\n{} of these by earlier runs, according to {path}: the server was not asked. If its data was replaced \
                     since then, remove that file to enter all workers again.",
                    counted(earlier, "worker")
                );
            }
            Some(path) => more += &format!("\n{path} records this, so that no worker is entered twice."),
            None => {}
        }
        let entered = if self.update { "entered or changed" } else { "entered" };
        print(&format!(
            "{} {entered}, {} rejected.{more}",
            counted(journal.state.entered, "worker"),
            counted(journal.state.rejected, "line")
        ))
    }
}

fn buffered(input: impl Read + 'static) -> Box<dyn BufRead> {
    Box::new(BufReader::with_capacity(1 << 16, input))
}

/// Prints the one document as a stream.
fn document(journal: &Journal, finished: bool) -> Result<(), CommandError> {
    let output = |error: io::Error| CommandError::output(&error);
    let mut out = io::BufWriter::new(io::stdout().lock());
    write!(out, "{{\"finished\":{finished},\"entered\":[").map_err(output)?;
    let mut between = "";
    journal.each(|record| match record {
        JournalStep::Entered { lines, ids, .. } => lines.into_iter().zip(ids).try_for_each(|(line, id)| {
            let worker = json!({ "line": line, "id": id });
            write!(out, "{}{worker}", std::mem::replace(&mut between, ",")).map_err(output)
        }),
        _ => Ok(()),
    })?;
    write!(out, "],\"refused\":[").map_err(output)?;
    let mut between = "";
    journal.each(|record| match record {
        JournalStep::Refused { line, error, .. } => {
            let rejected = json!({ "line": line, "error": error });
            let rejected = visible_json(&rejected.to_string());
            write!(out, "{}{rejected}", std::mem::replace(&mut between, ",")).map_err(output)
        }
        _ => Ok(()),
    })?;
    writeln!(out, "]}}").and_then(|()| out.flush()).map_err(output)
}

const EXAMPLES: &str = r#"EXAMPLES
  hitode import people.csv --dry-run
  hitode import people.csv --map name=氏名 --map city=市区町村 --ignore 電話
  hitode import people.csv --map external_id=社員番号 --update
  hitode import people.jsonl --dry-run
  hitode import people.jsonl
  hitode import people.jsonl --json | jq '.entered[] | .id'
  zcat people.jsonl.gz | hitode import -

A LINE OF THE FILE (`rating`, `total_reviews`, `is_verified`, `is_available`, `photos` and `external_id` are optional)
  {"name": "佐藤 美咲", "headline": "Product photos in Yokohama", "bio": "", "city": "横浜市", "state": "神奈川県", "gender": "female", "hourly_rate": 2500, "skills": [{"name": "Photography", "category": "Photo"}], "rating": 4.8, "total_reviews": 31, "is_verified": true, "is_available": true, "photos": [{"url": "https://example.org/1.jpg"}], "external_id": "W-1042"}

A TABLE is CSV, also with semicolons or tabs, in UTF-8 or Shift_JIS. Its first row names the columns like the members above. A cell
of `skills` is `Photography:Photo; Cooking:Home`, one of `photos` is JSON. The number of a line is that of the row.

No two workers have the same `external_id`, so that a file that is imported twice makes nobody twice: a line with that of a worker
is rejected, or changes the worker if you say --update. `rating` and `total_reviews` are what you know of a worker beside the reviews
on this server: an export shows both together, so leave these columns out when you import it again.

A rejected line is reported with its number and the reason, and added to FILE.rejects, as JSON. The other lines are entered,
and the exit status is 1. A line whose `state` is none of the 47 prefectures is entered with a warning: a search by prefecture does not find that worker.

After any interruption, run the same command again to continue, within 30 days: no worker is entered twice and none is
lost. A batch without a response is sent again with the same idempotency key, and the server enters it once. After a
finished import, the same command enters only the lines that were added to the end of the file; to enter all lines again,
remove FILE.progress. An import from standard input has no progress file and cannot be continued.

Environment: HITODE_OPERATOR_TOKEN holds the operator's token"#;
