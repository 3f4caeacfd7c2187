//! Markdown tables and their cells.

use std::fmt;

/// Rows below a head, with columns as wide as their widest cell.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: &[&str]) -> Self {
        let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
        let line = head.iter().enumerate().map(|(column, _)| rule(column)).collect();
        Self { rows: vec![head, line] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(crate) fn print(&self) {
        println!("{self}");
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows[0].len();
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.rows {
            let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(padded).collect();
            writeln!(f, "| {} |", cells.join(" | "))?;
        }
        Ok(())
    }
}

/// The first column names the row and is left-aligned; the others hold numbers and are right-aligned.
fn rule(column: usize) -> String {
    if column == 0 { "---" } else { "--:" }.to_owned()
}

fn padded((column, (cell, &width)): (usize, (&String, &usize))) -> String {
    match column {
        0 => format!("{cell:<width$}"),
        _ => format!("{cell:>width$}"),
    }
}

/// One number for each round.
#[derive(Default)]
pub(crate) struct Rounds(Vec<f64>);

impl Rounds {
    pub(crate) fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// The median.
    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The number that this share of the numbers does not exceed.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let mut ascending = self.0.clone();
        ascending.sort_by(f64::total_cmp);
        ascending[(ascending.len() as f64 * share) as usize]
    }

    /// The median for a cell; empty without a measurement.
    pub(crate) fn cell(&self, decimals: usize) -> String {
        match self.0.is_empty() {
            true => String::new(),
            false => format!("{:.decimals$}", self.median()),
        }
    }

    /// The minimum and the maximum.
    pub(crate) fn spread(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let least = self.0.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!("{least:.2}–{greatest:.2}")
    }
}

/// The bar of a ratio, and whether it is reached; both empty without a bar.
pub(crate) fn bar(ratios: &Rounds, bar: Option<f64>) -> [String; 2] {
    let Some(bar) = bar else { return Default::default() };
    let met = if ratios.median() >= bar { "yes" } else { "**no**" };
    [format!("{bar:.2}"), met.to_owned()]
}
