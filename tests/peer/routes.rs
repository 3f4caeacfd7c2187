//! The two operations. Each worker thread has a connection of its own: a read takes less time than handing it to
//! another thread.

use std::cell::OnceCell;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::json;

use crate::database;

thread_local! {
    static DATABASE: OnceCell<Connection> = const { OnceCell::new() };
}

#[derive(serde::Serialize)]
struct Page<T> {
    success: bool,
    data: Vec<T>,
    total: i64,
    limit: u32,
    offset: u32,
}

#[derive(serde::Serialize)]
struct Item<T> {
    success: bool,
    data: T,
}

pub(crate) fn router(file: &str) -> Router {
    let file: &'static str = String::leak(file.to_owned());
    Router::new()
        .route("/api/v1/humans", get(list))
        .route("/api/v1/humans/{id}", get(show))
        .with_state(file)
}

fn read<T>(file: &str, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
    let read = DATABASE.with(|database| read(database.get_or_init(|| database::open(file).expect("the file opens"))));
    read.map_err(|_| Error(StatusCode::INTERNAL_SERVER_ERROR, "internal error".to_owned()))
}

struct Error(StatusCode, String);

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let Self(status, text) = self;
        (status, Json(json!({ "success": false, "error": text }))).into_response()
    }
}

async fn list(
    State(file): State<&'static str>,
    Query(query): Query<database::Query>,
) -> Result<impl IntoResponse, Error> {
    let (limit, offset) = (query.limit, query.offset);
    let (data, total) = read(file, |database| database::search(database, query))?;
    Ok(Json(Page {
        success: true,
        data,
        total,
        limit,
        offset,
    }))
}

async fn show(State(file): State<&'static str>, Path(id): Path<i64>) -> Result<impl IntoResponse, Error> {
    let human = read(file, |database| database::get(database, id))?;
    let data = human.ok_or_else(|| Error(StatusCode::NOT_FOUND, format!("human {id} not found")))?;
    Ok(Json(Item { success: true, data }))
}
