//! Tables that become cards on a narrow page: each cell carries the heading of its column.

use maud::{Markup, html};

/// A table under a heading of its section. Each row has a cell for each column; the first cell names the row.
pub(super) fn table(columns: &[&str], rows: Vec<Row>) -> Markup {
    render(None, columns, rows)
}

/// A table with a caption, for a section with several tables.
pub(super) fn captioned(caption: &str, columns: &[&str], rows: Vec<Row>) -> Markup {
    render(Some(caption), columns, rows)
}

/// Tables styled as cards lose their roles for screen readers, so the roles are written out.
fn render(caption: Option<&str>, columns: &[&str], rows: Vec<Row>) -> Markup {
    html! {
        table role="table" {
            @if let Some(caption) = caption { caption { (caption) } }
            thead role="rowgroup" {
                tr role="row" {
                    @for heading in columns { th role="columnheader" scope="col" { (heading) } }
                }
            }
            tbody role="rowgroup" {
                @for row in rows {
                    tr role="row" id=[row.anchor] {
                        @for (place, (heading, cell)) in columns.iter().zip(row.cells).enumerate() {
                            @if place == 0 { th role="rowheader" scope="row" { (cell) } }
                            @else { td role="cell" data-heading=(heading) { (cell) } }
                        }
                    }
                }
            }
        }
    }
}

/// A row of a table.
pub(super) struct Row {
    /// The fragment of its address, if it can be linked to.
    pub(super) anchor: Option<String>,
    pub(super) cells: Vec<Markup>,
}
