//! A soak: ten minutes of mixed load at half of what the server can do, with clients that vanish in the middle of a request.
//! Memory, open files and disk use have to end where they began.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::latency::Latencies;
use crate::load::{Load, get, header, post, send};
use crate::machine::{Cores, MIB, on_disk};
use crate::market;
use crate::process::Server;
use crate::table::Table;

/// The argument for another duration.
pub(crate) const MINUTES: &str = "--minutes=";
const DEFAULT: u64 = 10;
const WORKERS: usize = 10_000;
/// Workers who change their profiles.
const WRITERS: usize = 16;
const CONNECTIONS: usize = 8;
/// How many points the series has.
const POINTS: u32 = 60;
/// How often a client vanishes.
const VANISHING: Duration = Duration::from_millis(20);
/// At most, the end as a part of the beginning.
const MEMORY_BAR: f64 = 1.1;
const DISK_BAR: f64 = 1.5;

/// A point of the series.
struct Point {
    seconds: f64,
    memory: f64,
    files: f64,
    disk: f64,
    a_second: f64,
    p99: f64,
}

pub(crate) fn measure(folder: &Path, _: Option<usize>, cores: Cores) {
    let minutes = std::env::args().find_map(|word| word.strip_prefix(MINUTES)?.parse().ok());
    let step = Duration::from_secs(60 * minutes.unwrap_or(DEFAULT)) / POINTS;
    let data = folder.join("soak");
    let key = market::enter(&data, WORKERS);
    let server = Server::start("program", &data, cores);
    let load = Load {
        address: server.address,
        connections: CONNECTIONS,
        requests: requests(&server, &key),
    };
    eprintln!("soak: how much the server can do");
    let most = load.send_for(Duration::from_secs(5)).a_second();
    let idle_files = open_files_once_idle(&server);
    let is_over = AtomicBool::new(false);
    let mut points = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| vanish(server.address, &load.requests, &is_over));
        let begun = Instant::now();
        for number in 1..=POINTS {
            eprintln!("soak, {number} of {POINTS}");
            let (sent, latencies) = half(&load, most, step);
            points.push(Point {
                seconds: begun.elapsed().as_secs_f64(),
                memory: server.resident() / MIB,
                files: server.open_files() as f64,
                disk: on_disk(&data) / MIB,
                a_second: sent,
                p99: latencies.quantile(0.99) / 1e3,
            });
        }
        is_over.store(true, Ordering::Release);
    });
    let files = open_files_once_idle(&server);
    print(&points, most, [idle_files, files]);
    let plot = Path::new(env!("CARGO_TARGET_TMPDIR")).join("soak.svg");
    std::fs::write(&plot, svg(&points)).expect("the plot is written");
    println!("\nThe series as a plot: {}", plot.display());
}

/// Reads, and changes of profiles, which leave as much as there was.
fn requests(server: &Server, key: &str) -> Vec<String> {
    let agent = header("X-API-Key", key);
    let operator = header("X-Operator-Token", "operator");
    let mut requests = Vec::new();
    for worker in 1..=WRITERS {
        let load = Load {
            address: server.address,
            connections: 1,
            requests: vec![post(&format!("/operator/v1/humans/{worker}/token"), &operator, "{}")],
        };
        let token: Value = serde_json::from_slice(&load.body()).expect("JSON");
        let token = header("X-Worker-Token", token["data"]["token"].as_str().expect("a token"));
        let search = format!("/api/v1/humans?skill=Cooking&limit=20&offset={}", worker * 20);
        requests.push(get(&search, &agent));
        let body = format!(r#"{{"headline":"Free on day {worker}, and careful"}}"#);
        requests.push(send("PATCH /worker/v1/me", &token, &body));
        requests.push(get(&format!("/api/v1/humans/{worker}"), &agent));
        requests.push(send("PATCH /worker/v1/me", &token, r#"{"headline":"Busy"}"#));
    }
    requests
}

/// Sends at half of this rate for this time: as much as possible for a short time, then nothing for as long as that took.
fn half(load: &Load, most: f64, time: Duration) -> (f64, Latencies) {
    let begun = Instant::now();
    let (mut count, mut latencies) = (0.0, Latencies::default());
    while begun.elapsed() < time {
        let answers = load.send_for(Duration::from_millis(100));
        count += answers.count();
        latencies.add(answers.latencies);
        let due = Duration::from_secs_f64(count / (most / 2.0));
        thread::sleep(due.saturating_sub(begun.elapsed()));
    }
    (count / begun.elapsed().as_secs_f64(), latencies)
}

/// Clients that send a part of a request, or a whole one, and vanish without reading the answer.
fn vanish(address: SocketAddr, requests: &[String], is_over: &AtomicBool) {
    let mut numbers = 0_usize..;
    while !is_over.load(Ordering::Acquire) {
        let number = numbers.next().expect("there are enough");
        let request = requests[number % requests.len()].as_bytes();
        let part = 1 + number * 37 % request.len();
        if let Ok(mut stream) = TcpStream::connect(address) {
            let _ = stream.write_all(&request[..part]);
        }
        thread::sleep(VANISHING);
    }
}

/// The open files of the server after its clients have gone.
fn open_files_once_idle(server: &Server) -> usize {
    thread::sleep(Duration::from_secs(3));
    server.open_files()
}

/// One number of a point.
type Series = fn(&Point) -> f64;

/// The mean of a part of the points.
fn mean(points: &[Point], of: Series) -> f64 {
    points.iter().map(of).sum::<f64>() / points.len() as f64
}

fn print(points: &[Point], most: f64, [idle, after]: [usize; 2]) {
    let last = points.last().expect("there are points");
    println!(
        "## {:.0} minutes at half of {most:.0} requests a second, with {:.0} vanishing clients a second\n",
        last.seconds / 60.0,
        1.0 / VANISHING.as_secs_f64()
    );
    let tenth = points.len() / 10;
    // The first tenth warms up.
    let (first, end) = (&points[tenth..2 * tenth], &points[points.len() - tenth..]);
    let mut table = Table::new(&["what", "second tenth", "last tenth", "ratio", "at most", "met"]);
    let rows: [(&str, Series, f64); 2] = [
        ("memory, MiB", |point| point.memory, MEMORY_BAR),
        ("on disk, MiB", |point| point.disk, DISK_BAR),
    ];
    let met = |is_met| if is_met { "yes" } else { "**no**" }.to_owned();
    for (what, of, bar) in rows {
        let (first, end) = (mean(first, of), mean(end, of));
        let [before, after, ratio] =
            [(first, 1), (end, 1), (end / first, 2)].map(|(it, decimals)| format!("{it:.decimals$}"));
        table.row([
            what.to_owned(),
            before,
            after,
            ratio,
            format!("{bar:.1}"),
            met(end <= bar * first),
        ]);
    }
    let files = "open files without clients".to_owned();
    let (before, now) = (idle.to_string(), after.to_string());
    table.row([
        files,
        before,
        now,
        String::new(),
        "the same".to_owned(),
        met(after <= idle),
    ]);
    table.print();
    let mut table = Table::new(&[
        "s",
        "memory MiB",
        "open files",
        "on disk MiB",
        "requests a second",
        "p99 ms",
    ]);
    for point in points.iter().step_by((points.len() / 12).max(1)) {
        let numbers = [point.seconds, point.memory, point.files, point.disk, point.a_second];
        let mut cells: Vec<String> = numbers.iter().map(|number| format!("{number:.0}")).collect();
        cells.push(format!("{:.2}", point.p99));
        table.row(cells);
    }
    table.print();
}

/// The series as lines, each as a part of its highest value.
fn svg(points: &[Point]) -> String {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 240.0;
    let lines: [(&str, &str, Series); 5] = [
        ("memory, MiB", "#2f81f7", |point| point.memory),
        ("open files", "#e3763a", |point| point.files),
        ("on disk, MiB", "#3fb950", |point| point.disk),
        ("requests a second", "#8c959f", |point| point.a_second),
        ("p99, ms", "#bf3989", |point| point.p99),
    ];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" font-family=\"sans-serif\" font-size=\"12\">\n",
        HEIGHT + 60.0
    );
    let end = points.last().map_or(1.0, |point| point.seconds);
    for (place, (name, color, of)) in lines.into_iter().enumerate() {
        let highest = points.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
        let place_of = |point: &Point| {
            let (x, y) = (
                point.seconds / end * WIDTH,
                HEIGHT - of(point) / highest * (HEIGHT - 10.0),
            );
            format!("{x:.1},{y:.1}")
        };
        let path: Vec<String> = points.iter().map(place_of).collect();
        let x = 8.0 + 142.0 * place as f64;
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" points=\"{}\"/>\n\
             <text x=\"{x}\" y=\"{}\" fill=\"{color}\">{name}: ≤ {highest:.1}</text>",
            path.join(" "),
            HEIGHT + 30.0
        );
    }
    svg + "</svg>\n"
}
