//! Tables of text. A column is as wide on the screen as its widest cell; Japanese characters take two positions.

use unicode_width::UnicodeWidthStr;

/// The gap between two columns.
const GAP: &str = "  ";

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// The rows under their headings, without a final line feed. A row has as many cells as there are headings.
pub(super) fn table(headings: &[(&str, Side)], rows: &[Vec<String>]) -> String {
    let top: Vec<String> = headings.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    let all = || std::iter::once(&top).chain(rows);
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| all().map(|row| row[column].width()).max().unwrap_or_default())
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).zip(headings);
        let padded: Vec<String> = cells
            .map(|((cell, width), (_, side))| {
                let space = " ".repeat(width - cell.width());
                match side {
                    Side::Left => format!("{cell}{space}"),
                    Side::Right => format!("{space}{cell}"),
                }
            })
            .collect();
        padded.join(GAP).trim_end().to_owned()
    };
    all().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_on_the_screen() {
        let rows = [["7", "佐藤商店", "free"], ["11", "Ada", "verified"]].map(|row| row.map(str::to_owned).to_vec());
        let text = table(
            &[("ID", Side::Right), ("NAME", Side::Left), ("PLAN", Side::Left)],
            &rows,
        );
        assert_eq!(text, "ID  NAME      PLAN\n 7  佐藤商店  free\n11  Ada       verified");
    }

    #[test]
    fn without_rows_there_are_headings() {
        assert_eq!(table(&[("ID", Side::Right), ("NAME", Side::Left)], &[]), "ID  NAME");
    }
}
