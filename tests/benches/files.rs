//! Files: many uploads at once, with their memory and what they cost the reads of others; and a download beside one from nginx.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::latency::Latencies;
use crate::load::{Connection, get, header};
use crate::machine::{self, Cores, MIB};
use crate::market;
use crate::process::Server;
use crate::table::{Rounds, Table, bar};

const BYTES: usize = 25 << 20;
/// Four files of each: as many as one may send at once, and in a day.
const ACCOUNTS: usize = 16;
const FILES_EACH: usize = 4;
const WORKERS: usize = 10_000;
/// The time of the reads without uploads.
const QUIET: Duration = Duration::from_secs(5);
/// Between two reads.
const PAUSE: Duration = Duration::from_millis(10);
/// At most, in MiB.
const MEMORY_BAR: f64 = 64.0;
/// At most, in milliseconds.
const READ_BAR: f64 = 100.0;

const ROUNDS: usize = 7;
const CONNECTIONS: usize = 4;
/// Downloads on each connection in a round.
const DOWNLOADS: usize = 12;
/// At least: the throughput, of that of nginx.
const NGINX_BAR: f64 = 0.7;

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let data = folder.join("files-data");
    eprintln!("entering {WORKERS} workers");
    let keys = market::enter_for(&data, WORKERS, ACCOUNTS + 1, market::worker);
    uploads(&data, &keys, cores);
    downloads(&data, &keys[ACCOUNTS], rounds.unwrap_or(ROUNDS), cores);
}

/// A photo: what is between its head and its end is not looked at.
fn photo() -> Vec<u8> {
    let mut photo = b"\xff\xd8\xff\xdb\0\x43\0".to_vec();
    photo.resize(photo.len() + 64, 1);
    photo.extend(b"\xff\xc0\0\x0b\x08\x08\0\x08\0\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0");
    let picture = (0..BYTES - photo.len() - 2).map(|at| (at % 251) as u8);
    photo.extend(picture);
    photo.extend(b"\xff\xd9");
    photo
}

/// The bytes of a request with a file.
fn upload(key: &str, file: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /api/v1/files HTTP/1.1\r\nhost: localhost\r\nx-api-key: {key}\r\ncontent-type: image/jpeg\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        file.len()
    );
    [head.as_bytes(), file].concat()
}

fn send(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.write_all(request).expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 2"), "{answer}");
    answer
}

fn uploads(data: &Path, keys: &[String], cores: Cores) {
    let server = Server::start("program", data, cores);
    let photo = photo();
    let requests: Vec<Vec<u8>> = keys[..ACCOUNTS].iter().map(|key| upload(key, &photo)).collect();
    let done = AtomicBool::new(false);
    eprintln!("reads without uploads");
    reads(&server, &keys[ACCOUNTS], || false, Duration::from_secs(1));
    let quiet = reads(&server, &keys[ACCOUNTS], || false, QUIET);
    eprintln!("reads with {} uploads", ACCOUNTS * FILES_EACH);
    let (before, cpu_before, begun) = (server.resident(), server.cpu(), Instant::now());
    let (busy, most, took) = thread::scope(|scope| {
        let memory = scope.spawn(|| {
            let mut most = before;
            while !done.load(Ordering::Acquire) {
                thread::sleep(Duration::from_millis(10));
                most = most.max(server.resident());
            }
            most
        });
        let reads = scope.spawn(|| reads(&server, &keys[ACCOUNTS], || done.load(Ordering::Acquire), Duration::MAX));
        let sent = (0..ACCOUNTS * FILES_EACH).map(|number| {
            let (request, address) = (&requests[number % ACCOUNTS], server.address);
            scope.spawn(move || drop(send(address, request)))
        });
        sent.collect::<Vec<_>>()
            .into_iter()
            .for_each(|one| one.join().expect("it is stored"));
        let took = begun.elapsed();
        done.store(true, Ordering::Release);
        (
            reads.join().expect("they are answered"),
            memory.join().expect("it ends"),
            took,
        )
    });
    let cpu = server.cpu() - cpu_before;
    let (sent, seconds) = ((BYTES * ACCOUNTS * FILES_EACH) as f64 / MIB, took.as_secs_f64());
    println!(
        "## {} uploads of {} MiB at once, from {ACCOUNTS} accounts: {seconds:.1} s, {:.0} MiB a second, {:.1} s of CPU for each GiB\n",
        ACCOUNTS * FILES_EACH,
        BYTES >> 20,
        sent / seconds,
        cpu.as_secs_f64() / (sent / 1024.0)
    );
    let mut table = Table::new(&["what", "measured", "at most", "met"]);
    let mut row = |what: &str, value: f64, most: f64| {
        let met = if value <= most { "yes" } else { "**no**" };
        table.row([
            what.to_owned(),
            format!("{value:.1}"),
            format!("{most:.0}"),
            met.to_owned(),
        ]);
    };
    row("more memory meanwhile, MiB", (most - before) / MIB, MEMORY_BAR);
    row("p99 of the reads of others, ms", busy.quantile(0.99) / 1e3, READ_BAR);
    row("the longest of these, ms", busy.quantile(1.0) / 1e3, READ_BAR);
    table.print();
    let mut table = Table::new(&["reads, one connection", "p50 ms", "p90", "p99", "max", "number"]);
    for (what, latencies) in [("without uploads", quiet), ("with uploads", busy)] {
        let [p50, p90, p99, max] = latencies.cells();
        table.row([what.to_owned(), p50, p90, p99, max, format!("{}", latencies.count())]);
    }
    table.print();
}

/// The latencies of searches, profiles and lists, with a pause before each, for this time or until it is done.
fn reads(server: &Server, key: &str, is_done: impl Fn() -> bool, time: Duration) -> Latencies {
    let credential = header("X-API-Key", key);
    let requests = [
        get("/api/v1/humans?skill=Cooking&limit=20", &credential),
        get("/api/v1/humans/7", &credential),
        get("/api/v1/bounties?limit=20", &credential),
        get("/api/v1/conversations?limit=20", &credential),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    runtime.expect("a runtime").block_on(async {
        let mut connection = Connection::to(server.address).await;
        let (begun, mut latencies) = (Instant::now(), Vec::new());
        for request in requests.iter().cycle() {
            if is_done() || begun.elapsed() >= time {
                break;
            }
            thread::sleep(PAUSE);
            let sent = Instant::now();
            connection.ask(request).await;
            latencies.push(sent.elapsed());
        }
        Latencies::from_durations(latencies)
    })
}

/// Bytes that arrive in a second, and the CPU time of the server for each GiB, in each round.
#[derive(Default)]
struct Served {
    mib_a_second: Rounds,
    cpu: Rounds,
}

fn downloads(data: &Path, key: &str, rounds: usize, cores: Cores) {
    let server = Server::start("program", data, cores);
    let stored = send(server.address, &upload(key, &photo()));
    let id = stored.split("\"id\":").nth(1).and_then(|rest| rest.split(',').next());
    let of_hitode = get(
        &format!("/api/v1/files/{}", id.expect("an id")),
        &header("X-API-Key", key),
    );
    let content = content(&data.join("files"));
    let Some(nginx) = nginx(&content, cores) else {
        println!("## A file beside one from nginx\n\nnginx is not installed: `apt-get install nginx-light`\n");
        return;
    };
    let of_nginx = get(
        &format!("/{}", content.file_name().expect("a name").to_string_lossy()),
        "",
    );
    let both = [("hitode", &server, of_hitode), ("nginx, sendfile", &nginx, of_nginx)];
    let mut served = [Served::default(), Served::default()];
    let mut ratios = Rounds::default();
    for round in 0..=rounds {
        eprintln!("downloads, round {round} of {rounds}");
        let rates = both.each_ref().map(|(_, server, request)| download(server, request));
        // The first one warms up.
        if round > 0 {
            ratios.push(rates[0].0 / rates[1].0);
            for (served, (rate, cpu)) in served.iter_mut().zip(rates) {
                served.mib_a_second.push(rate);
                served.cpu.push(cpu);
            }
        }
    }
    println!(
        "## A file of {} MiB over {CONNECTIONS} connections, beside nginx\n",
        BYTES >> 20
    );
    let mut table = Table::new(&[
        "server",
        "MiB a second",
        "CPU s for each GiB",
        "of nginx",
        "spread",
        "at least",
        "met",
    ]);
    for ((name, ..), served) in both.iter().zip(&served) {
        let is_ours = *name == "hitode";
        let [least, met] = bar(&ratios, is_ours.then_some(NGINX_BAR));
        let [ratio, spread] = match is_ours {
            true => [ratios.cell(2), ratios.spread()],
            false => Default::default(),
        };
        let cells = [
            served.mib_a_second.cell(0),
            served.cpu.cell(2),
            ratio,
            spread,
            least,
            met,
        ];
        table.row([(*name).to_owned()].into_iter().chain(cells));
    }
    table.print();
}

/// The only photo in a directory of files that is as long as the one that was sent.
fn content(files: &Path) -> PathBuf {
    let below = |path: &Path| {
        let entries = fs::read_dir(path).expect("a directory");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let directories = below(files).into_iter().filter(|path| !path.ends_with("incoming"));
    let all: Vec<PathBuf> = directories.flat_map(|path| below(&path)).collect();
    all.into_iter()
        .max_by_key(|path| fs::metadata(path).and_then(|file| file.modified()).ok())
        .expect("a file")
}

/// nginx in the directory of this file, on the servers' core. `None` if it is not installed.
fn nginx(content: &Path, cores: Cores) -> Option<Server> {
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = free.local_addr().expect("an address");
    drop(free);
    let root = content.parent().expect("a directory");
    let place = root.ancestors().nth(2).expect("the data directory").join("nginx");
    fs::create_dir_all(&place).expect("a directory");
    let temporary =
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|kind| format!("{kind}_temp_path {kind};"));
    // The rest is what Debian's nginx.conf says of files.
    let configuration = format!(
        "daemon off; master_process off; pid pid; error_log stderr; events {{}} http {{ access_log off; sendfile on; tcp_nopush on; \
         {} server {{ listen {address}; root {}; keepalive_requests 100000; }} }}",
        temporary.concat(),
        root.display()
    );
    let file = place.join("nginx.conf");
    fs::write(&file, configuration).expect("written");
    let mut command = Command::new("nginx");
    command.arg("-p").arg(&place).args(["-e", "stderr", "-c"]).arg(&file);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = move || {
        machine::stay_on(cores.server);
        command.spawn().ok()
    };
    let process = thread::spawn(start).join().expect("it does not panic")?;
    while TcpStream::connect(address).is_err() {
        thread::sleep(Duration::from_millis(10));
    }
    Some(Server { process, address })
}

/// Downloads again and again on all connections: MiB a second, and seconds of CPU for each GiB.
fn download(server: &Server, request: &str) -> (f64, f64) {
    let (cpu, begun) = (server.cpu(), Instant::now());
    let bytes: u64 = thread::scope(|scope| {
        let all = (0..CONNECTIONS).map(|_| scope.spawn(|| download_on_one(server.address, request)));
        let all: Vec<_> = all.collect();
        all.into_iter().map(|one| one.join().expect("it arrives")).sum()
    });
    let (took, cpu) = (begun.elapsed(), server.cpu() - cpu);
    let mib = bytes as f64 / MIB;
    (mib / took.as_secs_f64(), cpu.as_secs_f64() / (mib / 1024.0))
}

/// Downloads on one connection, one after another. Returns the bytes of the files.
fn download_on_one(address: SocketAddr, request: &str) -> u64 {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let (mut buffer, mut received) = (vec![0; 256 << 10], 0);
    for _ in 0..DOWNLOADS {
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut head = Vec::new();
        let body = loop {
            let read = stream.read(&mut buffer).expect("an answer");
            head.extend_from_slice(&buffer[..read]);
            if let Some(end) = head.windows(4).position(|end| end == b"\r\n\r\n") {
                break end + 4;
            }
            assert!(read > 0, "it hung up");
        };
        assert!(
            head.starts_with(b"HTTP/1.1 200"),
            "{}",
            String::from_utf8_lossy(&head[..body])
        );
        let mut left = BYTES - (head.len() - body);
        while left > 0 {
            let read = stream.read(&mut buffer).expect("the file");
            assert!(read > 0, "it hung up");
            left -= read;
        }
        received += BYTES as u64;
    }
    received
}
