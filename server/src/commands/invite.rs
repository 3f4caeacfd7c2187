//! `hitode worker invite`: one-time codes for workers, as links to the page on which they sign in.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use contract::operator::{create_human_codes, get_human, get_service, list_humans};
use http::Uri;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde_json::{Value, json};

use super::client::{Client, Operation, body, some_rows};
use super::connection::{Connection, base_url};
use super::error::CommandError;
use super::operations::VALUES;
use super::output::{Output, plain, remark};
use super::table::{Side, table};
use super::table_file::TableFile;

/// Workers of one request: the maximum of the operation.
const AT_ONCE: usize = 1_000;

/// The path of the page for workers, before a code.
const PAGE: &str = "/jobs/#";

/// `hitode worker invite …`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("whom").required(true).args(["ids", "all"]))]
pub(super) struct Invite {
    /// The ids of the workers
    #[arg(value_name = "ID", value_parser = clap::value_parser!(i64).range(1..))]
    ids: Vec<i64>,

    /// Invite all workers who have no token and are not suspended
    #[arg(long, help_heading = VALUES)]
    all: bool,

    /// The address under which workers reach the server
    /// [default: what the server states, see `hitode serve --site`; otherwise that of --url]
    #[arg(long, env = "HITODE_SITE", value_name = "URL", value_parser = base_url, verbatim_doc_comment)]
    site: Option<String>,

    /// Write the links into this new CSV file, which only you can read, instead of printing them
    #[arg(long, value_name = "FILE", help_heading = VALUES)]
    out: Option<PathBuf>,

    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Invite {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let client = self.connection.client()?;
        let workers = self.workers(&client)?;
        if workers.is_empty() {
            return match self.output.json {
                true => self.output.print(&json!([]), plain),
                false => {
                    remark("Every worker has a token, or is suspended. Nobody was invited.");
                    Ok(())
                }
            };
        }
        // Before codes are made, which end former ones.
        let site = self.site(&client)?;
        let columns = ["id", "name", "url", "ends_at"];
        let new_file = |path| TableFile::create(path, &columns, "nobody was invited");
        let mut file = self.out.as_deref().map(new_file).transpose()?;
        if is_of_this_machine(&site) && !self.output.json {
            remark(
                "The links work on this machine only: --site names the address under which phones reach the server.",
            );
        }
        let mut links = Vec::with_capacity(workers.len());
        for some in workers.chunks(AT_ONCE) {
            let made = invite(&client, some, &site)?;
            if let Some(file) = &mut file {
                let advice = "the codes were made: invite again to get new ones";
                let failed = |error| CommandError::new(format!("{error}; {advice}"));
                file.write(&made).map_err(failed)?;
            }
            links.extend(made);
        }
        match &self.out {
            Some(path) => {
                let (links, path) = (links.len(), path.display().to_string());
                let document = json!({ "links": links, "file": path });
                self.output.print(&document, |_| {
                    format!("{links} links are in {path}. They end in 24 hours.")
                })
            }
            None => self.output.print(&json!(links), |_| text(&links)),
        }
    }

    /// The address before the links.
    fn site(&self, client: &Client) -> Result<String, CommandError> {
        if let Some(site) = &self.site {
            return Ok(site.clone());
        }
        let service = Operation::new(get_service::METHOD, get_service::PATH);
        let stated = client.operator(&service, Vec::new())?.content;
        let url = self.connection.url();
        match stated["site"].as_str() {
            Some(site) if is_of_this_machine(site) && !is_of_this_machine(url) => Err(CommandError::new(format!(
                "the server states {site} for workers, which is an address of its own machine: name the one that phones reach with --site, here or at `hitode serve`"
            ))),
            stated => Ok(stated.unwrap_or(url).to_owned()),
        }
    }

    /// Who is to be invited, each with `id` and `name`.
    fn workers(&self, client: &Client) -> Result<Vec<Value>, CommandError> {
        if !self.all {
            let show = |id: &i64| {
                let whose = Operation::new(get_human::METHOD, get_human::PATH).on(*id);
                Ok(client.operator(&whose, Vec::new())?.content)
            };
            return self.ids.iter().map(show).collect();
        }
        let list = Operation::new(list_humans::METHOD, list_humans::PATH);
        let list = list.with("has_token", "false").with("suspended", "false");
        let call = |page: &Operation| client.operator(page, Vec::new());
        let (size, offset) = list_humans::DESCRIPTION.pages.expect("the list has pages");
        let (rows, _) = some_rows(&list, (size, offset), (u64::MAX, 0), call)?;
        Ok(rows)
    }
}

/// Whether other machines cannot reach the server at this address.
fn is_of_this_machine(site: &str) -> bool {
    let host = site.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    let host = host.unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Makes codes for these workers: `id`, `name`, `url` and `ends_at` of each.
fn invite(client: &Client, workers: &[Value], site: &str) -> Result<Vec<Value>, CommandError> {
    let ids: Vec<&Value> = workers.iter().map(|worker| &worker["id"]).collect();
    let make = Operation::new(create_human_codes::METHOD, create_human_codes::PATH);
    let made = client.operator(&make, body(&json!({ "ids": ids })))?.content;
    let codes = made["codes"].as_array().cloned().unwrap_or_default();
    let links = workers.iter().zip(codes).map(|(worker, code)| {
        json!({
            "id": worker["id"],
            "name": worker["name"],
            "url": format!("{site}{PAGE}{}", code["code"].as_str().unwrap_or_default()),
            "ends_at": made["ends_at"],
        })
    });
    Ok(links.collect())
}

fn text(links: &[Value]) -> String {
    let [one] = links else {
        let headings = [("ID", Side::Right), ("NAME", Side::Left), ("URL", Side::Left)];
        let row = |link: &Value| ["id", "name", "url"].map(|name| plain(&link[name])).to_vec();
        let rows: Vec<_> = links.iter().map(row).collect();
        return format!("{}\n\nEach link works once, within 24 hours.", table(&headings, &rows));
    };
    let link = plain(&one["url"]);
    let code = QrCode::new(&link).map(|code| code.render::<Dense1x2>().build());
    format!(
        "Send this link to {}. It works once, within 24 hours:\n{link}\n\n{}",
        plain(&one["name"]),
        code.unwrap_or_default()
    )
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode worker invite 106 --site https://work.example.com
  hitode worker invite --all --out links.csv --site https://work.example.com

A link signs a worker in on a phone, once, within 24 hours. A former token ends when the link is used.

Environment: HITODE_OPERATOR_TOKEN holds the operator's token";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_is_recognized() {
        for (site, expected) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost:8080", true),
            ("http://[::1]:80", true),
            ("https://work.example.com", false),
            ("http://192.168.1.7:8080/hitode", false),
        ] {
            assert_eq!(is_of_this_machine(site), expected, "{site}");
        }
    }
}
