//! Renders the matrix as a page of Markdown: a table for each surface.

use super::{Answer, Matrix, OfSurface};
use codegen::model::ErrorEntry;
use std::fmt::{self, Display, Formatter};

impl Display for Matrix {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (title, file) = (&self.contract.model.title, self.contract.file);
        writeln!(out, "# What the probes of {title} cover\n")?;
        writeln!(out, "<!-- Written by `codegen matrix {file}`: do not edit. -->\n")?;
        self.summary(out)?;
        self.untestable(out)?;
        for of in &self.surfaces {
            of.write(out, &self.contract.model.errors)?;
        }
        Ok(())
    }
}

impl Matrix {
    fn summary(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (mut operations, mut probes, mut shown, mut untestable, mut unreachable, mut empty) = (0, 0, 0, 0, 0, 0);
        for line in self.lines() {
            operations += 1;
            probes += line.probes;
            for answer in line.rows.iter().chain([&line.success]) {
                match answer {
                    Answer::Unreachable => unreachable += 1,
                    Answer::Untestable => untestable += 1,
                    Answer::Shown(0) => empty += 1,
                    Answer::Shown(_) => shown += 1,
                }
            }
        }
        let (file, all) = (self.contract.file, shown + untestable + empty);
        write!(
            out,
            "{probes} probes are made from `{file}`. This page says how many cover each response of each operation: \
             the success, and each error that the operation can be rejected with.\n\n\
             {operations} operations have {all} responses: {shown} are covered, {untestable} cannot be caused by a \
             request, and {empty} are not covered. (A response that is not covered fails the tests.) In the tables:\n\n\
             - a number: how many cover the response. Below `success` it is the number of calls that work but for one change, which \
             may be accepted or rejected;\n\
             - –: the operation cannot have this response ({unreachable} cells). An error that no operation of an API can have \
             has no column, and neither has one with the same cell for all operations;\n\
             - †: no probe can cause it. The next table gives the reason and the test that covers it, or the contract does not \
             declare when it occurs.\n"
        )?;
        if empty > 0 {
            writeln!(out, "- **none**: no probe covers it.")?;
        }
        Ok(())
    }

    fn untestable(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let rows = self.contract.model.errors.iter();
        let rows: Vec<_> = rows.filter_map(|row| Some((row, row.untestable.as_ref()?))).collect();
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n## † Responses that no request can cause\n")?;
        writeln!(out, "| Error | Reason | Test |")?;
        writeln!(out, "|---|---|---|")?;
        for (row, untestable) in rows {
            let reason = cell(&untestable.reason);
            writeln!(
                out,
                "| `{}` ({}) | {reason} | `{}` |",
                row.name, row.status, untestable.test
            )?;
        }
        Ok(())
    }
}

impl OfSurface {
    fn write(&self, out: &mut Formatter<'_>, rows: &[ErrorEntry]) -> fmt::Result {
        let surface = self.surface;
        let reached = |index: &usize| self.lines.iter().any(|line| line.rows[*index] != Answer::Unreachable);
        let (alike, columns): (Vec<usize>, Vec<usize>) =
            (0..rows.len()).filter(reached).partition(|index| self.is_alike(*index));
        writeln!(out, "\n## {}\n", surface.name)?;
        self.alike(out, &alike, rows)?;
        let names = columns.iter().map(|column| &rows[*column]);
        let heads: Vec<String> = names.map(|row| format!(" {} |", head(row))).collect();
        writeln!(out, "| `{}` | success |{}", surface.base, heads.concat())?;
        writeln!(out, "|---|--:|{}", "--:|".repeat(columns.len()))?;
        for line in &self.lines {
            write!(out, "| `{}` | {} |", line.called.1.name, line.success)?;
            for column in &columns {
                write!(out, " {} |", line.rows[*column])?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Whether an error has the same entry for each of several operations, so that its column would be redundant.
    fn is_alike(&self, row: usize) -> bool {
        let mut told = self.lines.iter().map(|line| line.rows[row].to_string());
        let first = told.next();
        let is_whole = !self.lines.iter().any(|line| line.rows[row].is_nothing());
        self.lines.len() > 1 && is_whole && told.all(|one| Some(&one) == first.as_ref())
    }

    /// The errors with the same entry for all operations, in one sentence. This keeps the table narrow.
    fn alike(&self, out: &mut Formatter<'_>, rows: &[usize], all: &[ErrorEntry]) -> fmt::Result {
        let Some(line) = self.lines.first().filter(|_| !rows.is_empty()) else {
            return Ok(());
        };
        let told = rows
            .iter()
            .map(|row| format!("`{}` ({}): {}", all[*row].name, all[*row].status, line.rows[*row]));
        let told: Vec<String> = told.collect();
        let (last, others) = told.split_last().expect("there is one");
        let and = if others.is_empty() { "" } else { " and " };
        writeln!(
            out,
            "The same for each operation, so without a column: {}{and}{last}.\n",
            others.join(", ")
        )
    }
}

/// The text in a cell of the table.
impl Display for Answer {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Unreachable => out.write_str("–"),
            Answer::Untestable => out.write_str("†"),
            Answer::Shown(0) => out.write_str("**none**"),
            Answer::Shown(number) => write!(out, "{number}"),
        }
    }
}

/// The head of a column, as narrow as possible.
fn head(row: &ErrorEntry) -> String {
    format!("{}<br>{}", row.name.replace('_', "_<br>"), row.status)
}

/// A text, escaped for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
