//! Tables as Markdown, and what stands in their cells.

/// Rows under a head, with columns as wide as their widest cell.
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
        let columns = self.rows[0].len();
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.rows {
            let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(padded).collect();
            println!("| {} |", cells.join(" | "));
        }
        println!();
    }
}

/// The first column names the row and stands left; the others hold numbers and stand right.
fn rule(column: usize) -> String {
    if column == 0 { "---" } else { "--:" }.to_owned()
}

fn padded((column, (cell, &width)): (usize, (&String, &usize))) -> String {
    match column {
        0 => format!("{cell:<width$}"),
        _ => format!("{cell:>width$}"),
    }
}

/// One number a round.
#[derive(Default)]
pub(crate) struct Rounds(Vec<f64>);

impl Rounds {
    pub(crate) fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// The one in the middle.
    pub(crate) fn median(&self) -> f64 {
        let mut ascending = self.0.clone();
        ascending.sort_by(f64::total_cmp);
        ascending[ascending.len() / 2]
    }

    /// The one in the middle, for a cell; nothing where nothing was measured.
    pub(crate) fn cell(&self, decimals: usize) -> String {
        match self.0.is_empty() {
            true => String::new(),
            false => format!("{:.decimals$}", self.median()),
        }
    }

    /// The least and the greatest.
    pub(crate) fn spread(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let least = self.0.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!("{least:.2}–{greatest:.2}")
    }
}

/// What a ratio has to reach, and whether it does; both empty where nothing is asked.
pub(crate) fn bar(ratios: &Rounds, bar: Option<f64>) -> [String; 2] {
    let Some(bar) = bar else { return Default::default() };
    let met = if ratios.median() >= bar { "yes" } else { "**no**" };
    [format!("{bar:.2}"), met.to_owned()]
}
