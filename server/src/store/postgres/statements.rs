//! The tables of records: one for each kind, with a column for each part of the key and one for the document.

use codegen_store::Tree;

use codegen_store::kind::Column;
use codegen_store::kind_at;

use crate::store::kinds::KINDS;
use crate::store::market::Market;

fn name_of(column: Column) -> &'static str {
    let (Column::Number(name) | Column::Uuid(name) | Column::Small(name) | Column::Bytes(name)) = column;
    name
}

fn sql_type(column: Column) -> &'static str {
    match column {
        Column::Number(_) | Column::Small(_) => "bigint",
        Column::Uuid(_) | Column::Bytes(_) => "bytea",
    }
}

/// The columns of the key of a kind. None: it is in no table.
pub(super) fn key_of(kind: Tree) -> Vec<Column> {
    kind_at::<Market>(kind)
        .map(|kind| kind.key.concat())
        .unwrap_or_default()
}

/// Values of a column, as parameters of a statement.
#[derive(Debug)]
pub(super) enum Values {
    Numbers(Vec<i64>),
    Bytes(Vec<Vec<u8>>),
}

/// The values of the columns of these keys. `None` if one is malformed.
pub(super) fn columns_of<'k>(kind: Tree, keys: impl Iterator<Item = &'k [u8]> + Clone) -> Option<Vec<Values>> {
    let mut at = 0;
    let columns = key_of(kind).into_iter().map(|column| {
        let start = at;
        match column {
            Column::Number(_) => {
                at += 8;
                let number = |key: &[u8]| key.get(start..start + 8)?.try_into().ok().map(i64::from_be_bytes);
                keys.clone().map(number).collect::<Option<_>>().map(Values::Numbers)
            }
            Column::Uuid(_) => {
                at += 16;
                let bits = |key: &[u8]| key.get(start..start + 16).map(<[u8]>::to_vec);
                keys.clone().map(bits).collect::<Option<_>>().map(Values::Bytes)
            }
            Column::Small(_) => {
                at += 1;
                let number = |key: &[u8]| key.get(start).copied().map(i64::from);
                keys.clone().map(number).collect::<Option<_>>().map(Values::Numbers)
            }
            Column::Bytes(_) => {
                let rest = |key: &[u8]| key.get(start..).map(<[u8]>::to_vec);
                keys.clone().map(rest).collect::<Option<_>>().map(Values::Bytes)
            }
        }
    });
    columns.collect()
}

/// Names of columns, such as `a, b`.
fn names(kind: Tree) -> String {
    key_of(kind).into_iter().map(name_of).collect::<Vec<_>>().join(", ")
}

/// The parameters of the key's columns, such as `$1::bigint[], $2::bigint[]`.
fn arrays(kind: Tree) -> String {
    let columns = key_of(kind).into_iter().zip(1..);
    let arrays = columns.map(|(column, place)| format!("${place}::{}[]", sql_type(column)));
    arrays.collect::<Vec<_>>().join(", ")
}

/// Inserts or replaces rows. The parameters are the columns of the key, and the documents.
pub(super) fn upsert(kind: Tree) -> String {
    let (table, names, arrays) = (kind.name(), names(kind), arrays(kind));
    let documents = key_of(kind).len() + 1;
    format!(
        "INSERT INTO {table} ({names}, document) SELECT {names}, document::json FROM unnest({arrays}, ${documents}::text[]) \
         AS changed ({names}, document) ON CONFLICT ({names}) DO UPDATE SET document = excluded.document"
    )
}

/// Deletes rows. The parameters are the columns of the key.
pub(super) fn delete(kind: Tree) -> String {
    let (table, names, arrays) = (kind.name(), names(kind), arrays(kind));
    format!("DELETE FROM {table} WHERE ({names}) IN (SELECT {names} FROM unnest({arrays}) AS old ({names}))")
}

/// Reads all documents.
pub(super) fn select(kind: Tree) -> String {
    format!("SELECT document::text FROM {} ORDER BY {}", kind.name(), names(kind))
}

/// Sets the last assigned ids. The parameters are the names of the kinds, and the numbers.
pub(super) const SET_LAST_IDS: &str = "INSERT INTO last_ids (kind, number) \
     SELECT kind, number FROM unnest($1::text[], $2::bigint[]) AS changed (kind, number) \
     ON CONFLICT (kind) DO UPDATE SET number = excluded.number";

/// The statements that create the tables that are missing.
pub(super) fn create() -> String {
    let tables: String = KINDS.iter().map(|kind| create_one(kind.tree)).collect();
    tables + "CREATE TABLE IF NOT EXISTS last_ids (kind text PRIMARY KEY, number bigint NOT NULL);\n"
}

/// The statement that creates the table of a kind.
fn create_one(kind: Tree) -> String {
    let columns = key_of(kind).into_iter();
    let columns: String = columns
        .map(|column| format!("{} {} NOT NULL, ", name_of(column), sql_type(column)))
        .collect();
    format!(
        "CREATE TABLE IF NOT EXISTS {} ({columns}document json NOT NULL, PRIMARY KEY ({}));\n",
        kind.name(),
        names(kind)
    )
}
