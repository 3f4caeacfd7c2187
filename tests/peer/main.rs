//! The service that the benchmark compares with Hitode: two operations of the contract, with axum and SQLite.
//!
//! `peer load FILE` reads workers as lines of JSON from standard input, `peer serve FILE` serves them.

mod database;
mod routes;

use std::io::{self, Write};
use std::path::Path;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["load", file] => database::load(Path::new(file), io::stdin().lock()).expect("the workers are entered"),
        ["serve", file] => serve(file).await.expect("the server runs"),
        _ => panic!("usage: peer load FILE | peer serve FILE"),
    }
}

async fn serve(file: &str) -> io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    writeln!(io::stdout(), "{}", listener.local_addr()?)?;
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, routes::router(file)).await
}
