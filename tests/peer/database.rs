//! The SQLite file: its tables, the entering of workers, and the two reads.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSql, Value};
use rusqlite::{CachedStatement, Connection, OpenFlags, OptionalExtension, Result, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use unicode_normalization::UnicodeNormalization;

#[derive(Deserialize)]
struct NewHuman {
    name: String,
    headline: String,
    bio: String,
    city: String,
    state: String,
    gender: String,
    hourly_rate: f64,
    rating: f64,
    total_reviews: i64,
    is_verified: bool,
    is_available: bool,
    photos: Box<RawValue>,
    skills: Vec<NewSkill>,
}

#[derive(Deserialize)]
struct NewSkill {
    name: String,
    category: String,
}

#[derive(Serialize)]
pub(crate) struct Human<S> {
    id: i64,
    name: String,
    headline: String,
    city: String,
    state: String,
    hourly_rate: f64,
    rating: f64,
    is_verified: bool,
    skills: Vec<S>,
}

#[derive(Serialize)]
pub(crate) struct Skill {
    id: i64,
    name: String,
    category: String,
}

#[derive(Serialize)]
pub(crate) struct HumanDetail {
    #[serde(flatten)]
    listed: Human<Skill>,
    bio: String,
    total_reviews: i64,
    is_available: bool,
    photos: Box<RawValue>,
}

/// The parameters of a search.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Query {
    skill: Option<String>,
    state: Option<String>,
    gender: Option<String>,
    min_rate: Option<f64>,
    max_rate: Option<f64>,
    #[serde(default = "default_limit")]
    pub(crate) limit: u32,
    #[serde(default)]
    pub(crate) offset: u32,
}

fn default_limit() -> u32 {
    20
}

/// The form in which names are compared.
fn fold(text: &str) -> String {
    text.nfkc().collect::<String>().to_lowercase().nfkc().collect()
}

/// Creates the file with the workers of these lines.
pub(crate) fn load(file: &Path, lines: impl BufRead) -> Result<()> {
    let mut database = Connection::open(file)?;
    database.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000;")?;
    database.execute_batch(include_str!("schema.sql"))?;
    let transaction = database.transaction()?;
    let mut skills = HashMap::new();
    for line in lines.lines() {
        let line = line.expect("standard input is text");
        let human = serde_json::from_str(&line).expect("a line is a worker");
        insert(&transaction, &human, &mut skills)?;
    }
    transaction.commit()?;
    database.execute_batch(include_str!("indexes.sql"))?;
    database.execute_batch("PRAGMA journal_mode = WAL;")
}

fn insert(database: &Connection, human: &NewHuman, skills: &mut HashMap<String, i64>) -> Result<()> {
    let state = fold(&human.state);
    database
        .prepare_cached("INSERT INTO humans VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?
        .insert(params![
            human.name,
            human.headline,
            human.bio,
            human.city,
            human.state,
            state,
            human.gender,
            human.hourly_rate,
            human.rating,
            human.total_reviews,
            human.is_verified,
            human.is_available,
            human.photos.get(),
        ])?;
    let id = database.last_insert_rowid();
    for (position, skill) in human.skills.iter().enumerate() {
        let folded = fold(&skill.name);
        if !skills.contains_key(&folded) {
            database.execute(
                "INSERT INTO skills VALUES (NULL, ?, ?, ?)",
                params![skill.name, folded, skill.category],
            )?;
            skills.insert(folded.clone(), database.last_insert_rowid());
        }
        database
            .prepare_cached("INSERT INTO human_skills VALUES (?, ?, ?, ?, ?, ?, ?)")?
            .execute(params![
                id,
                position,
                skills[&folded],
                state,
                human.gender,
                human.hourly_rate,
                human.rating
            ])?;
    }
    Ok(())
}

/// Opens the file for one thread.
pub(crate) fn open(file: &str) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(file, flags)?;
    database
        .execute_batch("PRAGMA mmap_size = 17179869184; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;")?;
    // Otherwise SQLite prepares a statement again whenever other values are bound.
    database.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // A statement for each mix of conditions.
    database.set_prepared_statement_cache_capacity(128);
    Ok(database)
}

/// The page of the list, and the number of all matches.
pub(crate) fn search(database: &Connection, query: Query) -> Result<(Vec<Human<String>>, i64)> {
    let table = if query.skill.is_some() {
        "human_skills"
    } else {
        "humans"
    };
    let mut values = Vec::new();
    let mut conditions = String::new();
    let mut add = |condition: &str, value: Option<Value>| {
        if let Some(value) = value {
            conditions += if values.is_empty() { " WHERE " } else { " AND " };
            conditions += condition;
            values.push(value);
        }
    };
    let folded = |text: Option<String>| text.map(|text| fold(&text).into());
    add(
        "skill_id = (SELECT id FROM skills WHERE folded = ?)",
        folded(query.skill),
    );
    add("state_folded = ?", folded(query.state));
    add("gender = ?", query.gender.map(Value::from));
    add("hourly_rate >= ?", query.min_rate.map(Value::from));
    add("hourly_rate <= ?", query.max_rate.map(Value::from));
    let total = database
        .prepare_cached(&format!("SELECT count(*) FROM {table}{conditions}"))?
        .query_row(rusqlite::params_from_iter(&values), |row| row.get(0))?;
    values.extend([Value::from(query.limit), Value::from(query.offset)]);
    // The page is selected from a covering index alone, in its order: the plus sign hides the condition from the index by
    // rate, which would need a sort.
    let conditions = conditions.replace("hourly_rate", "+hourly_rate");
    let page = format!(
        "SELECT id, name, headline, city, state, hourly_rate, rating, is_verified FROM (SELECT id AS selected FROM \
         {table}{conditions} ORDER BY rating DESC, id LIMIT ? OFFSET ?) CROSS JOIN humans ON id = selected \
         ORDER BY rating DESC, id"
    );
    let mut skills = database.prepare_cached(
        "SELECT skills.name FROM human_skills JOIN skills ON skills.id = skill_id \
         WHERE human_skills.id = ? ORDER BY position",
    )?;
    let rows = database
        .prepare_cached(&page)?
        .query_map(rusqlite::params_from_iter(&values), |row| {
            human(row, &mut skills, |skill| skill.get(0))
        })?
        .collect::<Result<_>>()?;
    Ok((rows, total))
}

/// The detail view of a worker.
pub(crate) fn get(database: &Connection, id: i64) -> Result<Option<HumanDetail>> {
    let mut skills = database.prepare_cached(
        "SELECT skills.id, skills.name, skills.category FROM human_skills JOIN skills ON skills.id = skill_id \
         WHERE human_skills.id = ? ORDER BY position",
    )?;
    let skill = |row: &Row| {
        Ok(Skill {
            id: row.get(0)?,
            name: row.get(1)?,
            category: row.get(2)?,
        })
    };
    database
        .prepare_cached(
            "SELECT id, name, headline, city, state, hourly_rate, rating, is_verified, \
             bio, total_reviews, is_available, photos FROM humans WHERE id = ?",
        )?
        .query_row([id], |row| {
            Ok(HumanDetail {
                listed: human(row, &mut skills, skill)?,
                bio: row.get(8)?,
                total_reviews: row.get(9)?,
                is_available: row.get(10)?,
                photos: RawValue::from_string(row.get(11)?).expect("it was entered as JSON"),
            })
        })
        .optional()
}

fn human<S>(row: &Row, skills: &mut CachedStatement, skill: impl Fn(&Row) -> Result<S>) -> Result<Human<S>> {
    let id: i64 = row.get(0)?;
    let parameters: [&dyn ToSql; 1] = [&id];
    Ok(Human {
        id,
        name: row.get(1)?,
        headline: row.get(2)?,
        city: row.get(3)?,
        state: row.get(4)?,
        hourly_rate: row.get(5)?,
        rating: row.get(6)?,
        is_verified: row.get(7)?,
        skills: skills.query_map(parameters, skill)?.collect::<Result<_>>()?,
    })
}
