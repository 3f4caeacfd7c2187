//! The results as Markdown.

use super::Size;
use super::requests::{Group, SERVERS};
use crate::machine::MIB;
use crate::population::SHAPES;
use crate::table::Table;

pub(super) fn markdown(sizes: &[Size], caption: &str) -> String {
    format!(
        "# Hitode and axum with SQLite\n\n\
         Measured on {caption}. `cargo bench -p hitode-tests -- peer` writes this file.\n\n\
         ![p50 and p99](results.svg)\n\n\
         Both servers have the same workers and give the same answers, which the benchmark checks. Each runs on one core, and one \
         client on another core sends one request after the other. Hitode runs as `hitode serve` without rate limits and log; \
         it checks an API key for each request, and the peer (this folder) checks none and knows no aliases of prefectures. The peer \
         reads from covering indexes with prepared statements, and its data is in the page cache. The last three columns are multiples of Hitode's numbers: medians of \
         the ratios within a round. Bare hyper \
         sends a body of the same size as the first answer; its p99 shows how much other programs disturbed the measurement.\n\n\
         ## Requests\n\n{}\n\
         ## Searches by shape\n\nThe median latency of a search for a page of 20, in µs.\n\n{}\n\
         ## Start, memory and disk\n\n\
         Memory is resident memory after the requests. The part that is mapped from files (program and, for SQLite, data) can \
         be given back to the system.\n\n{}",
        requests(sizes),
        shapes(sizes),
        whole(sizes),
    )
}

fn requests(sizes: &[Size]) -> Table {
    let mut table = Table::new(&[
        "requests", "workers", "server", "CPU µs", "p50 µs", "p99 µs", "× CPU", "× p50", "× p99",
    ]);
    let groups = (0..sizes.first().map_or(0, |size| size.groups.len())).flat_map(|group| {
        let of_size = move |size: &Size| (size.workers, group);
        sizes.iter().map(of_size).zip(sizes).collect::<Vec<_>>()
    });
    for ((workers, group), size) in groups {
        for row in rows(&size.groups[group], workers) {
            table.row(row);
        }
    }
    table
}

fn rows(group: &Group, workers: u64) -> impl Iterator<Item = Vec<String>> {
    SERVERS.iter().zip(&group.measured).map(move |(server, measured)| {
        let mut cells = vec![group.name.to_owned(), workers.to_string(), (*server).to_owned()];
        cells.push(measured.cpu.cell(0));
        cells.extend([0.5, 0.99].map(|share| format!("{:.0}", measured.quantile(share))));
        cells.extend(measured.ratios.each_ref().map(|ratios| ratios.cell(2)));
        cells
    })
}

fn shapes(sizes: &[Size]) -> Table {
    let servers = &SERVERS[..2];
    let columns = sizes.iter().flat_map(|size| {
        let column = move |server: &&str| format!("{server}, {}", size.workers);
        servers.iter().map(column).collect::<Vec<_>>()
    });
    let head: Vec<String> = ["search".to_owned()].into_iter().chain(columns).collect();
    let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    for (shape, (name, _, _)) in SHAPES.iter().enumerate() {
        let cells = sizes.iter().flat_map(|size| {
            let measured = size.groups[0].measured.iter().take(servers.len());
            measured.map(|measured| format!("{:.0}", measured.median_of_shape(shape)))
        });
        table.row([(*name).to_owned()].into_iter().chain(cells));
    }
    table
}

fn whole(sizes: &[Size]) -> Table {
    let mut table = Table::new(&[
        "server",
        "workers",
        "entered in s",
        "first answer after s",
        "memory MiB",
        "of it mapped",
        "on disk MiB",
    ]);
    for size in sizes {
        for (server, contender) in SERVERS.iter().zip(&size.contenders) {
            table.row([
                (*server).to_owned(),
                size.workers.to_string(),
                format!("{:.1}", contender.entering),
                contender.starts.cell(2),
                format!("{:.0}", contender.resident.median() / MIB),
                format!("{:.0}", contender.mapped.median() / MIB),
                format!("{:.0}", contender.on_disk / MIB),
            ]);
        }
    }
    table
}
