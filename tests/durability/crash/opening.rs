//! SIGKILL at chosen system calls of a start: of the first one on an empty directory, and of one on a large store.
//!
//! The calls are those of an undisturbed start on the directory. strace kills the server in place of the n-th one, so
//! that each test sees the same interrupted starts again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{copy_directory, variable};
use crate::trace;
use test_support::people::{Caller, People, bounty, worker};
use test_support::process::{Launch, directory};

/// The calls with which a start reads and changes files.
const CALLS: &str = "openat,mkdir,read,pread64,write,pwrite64,ftruncate,fsync,fdatasync,sync_file_range,rename,unlink";

/// The n-th call of a name on one file, in one thread.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    call: String,
    /// Relative to the data directory; empty for the directory itself.
    file: PathBuf,
    number: usize,
}

/// The number of calls of each name on each file that are used on a large store, evenly spread.
const OF_EACH: usize = 4;

/// The most workers of one import in the contract.
const IMPORTED_AT_ONCE: u64 = 1_000;

#[test]
fn a_first_start_that_is_killed_anywhere_can_be_started_again() {
    let undisturbed = directory();
    let points = points(&undisturbed.path().join("data"));
    let (mut killed, mut failures) = (0, Vec::new());

    for point in &points {
        let place = directory();
        let data = place.path().join("data");
        killed += usize::from(is_killed_at(&data, point));

        let mut service = match Launch::on(&data).try_start() {
            Ok(service) => service,
            Err(ended) => {
                failures.push(format!("after a kill at {point:?}: {}", ended.log));
                continue;
            }
        };
        let reply = Caller::operator_of(&service).post("/accounts", json!({ "name": "First", "plan": "free" }));
        assert_eq!(reply.status, 201, "{point:?}");
        service.signal("KILL");
        service.end();
        let service = Launch::on(&data).start();
        let accounts = Caller::operator_of(&service).get("/accounts").json();
        assert_eq!(accounts["total"], 1, "{point:?}");
    }
    let started = killed - failures.len();
    println!(
        "{killed} first starts killed at {} system calls, {started} of them started again",
        points.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        killed > 20 && killed * 10 >= points.len() * 9,
        "{killed} of {} points were reached",
        points.len()
    );
}

#[test]
fn a_large_store_that_is_killed_while_it_opens_opens_whole() {
    let (kept, undisturbed) = (directory(), directory());
    let workers = variable("HITODE_LARGE_STORE", 1_000);
    let (people, before) = fill(kept.path(), workers);
    copy_directory(kept.path(), undisturbed.path());
    let points = spread(&points(undisturbed.path()));
    let mut killed = 0;
    for point in &points {
        let data = directory();
        copy_directory(kept.path(), data.path());
        // The second one finds the files of the first one.
        for _ in 0..2 {
            killed += usize::from(is_killed_at(data.path(), point));
        }
        let service = Launch::on(data.path()).start();
        assert_eq!(read_all(&people.at(&service), workers), before, "{point:?}");
    }
    println!(
        "{killed} kills while a store of {workers} workers opened, at {} system calls, nothing lost",
        points.len()
    );
    assert!(killed >= points.len(), "{killed} kills at {} points", points.len());
}

/// Starts the server, and kills it at this point; false if it never reached it.
fn is_killed_at(data: &Path, point: &Point) -> bool {
    let trace = directory();
    let file = path_of(data, &point.file);
    let calls = format!("trace={}", point.call);
    let inject = format!("inject={}:signal=KILL:when={}", point.call, point.number);
    let args = ["-P", &file.display().to_string(), "-e", &calls, "-e", &inject];
    let started = Launch::on(data)
        .under_strace(&args, &trace.path().join("trace"))
        .try_start();
    match started {
        Ok(_) => false,
        Err(ended) => {
            assert_eq!(ended.code, None, "{point:?}: {}", ended.log);
            true
        }
    }
}

/// Joining an empty path would add a slash, and strace compares the text.
fn path_of(data: &Path, file: &Path) -> PathBuf {
    if file.as_os_str().is_empty() {
        data.to_owned()
    } else {
        data.join(file)
    }
}

/// The points at which a start touches the directory, until it listens.
fn points(data: &Path) -> BTreeSet<Point> {
    let place = directory();
    let trace = place.path().join("trace");
    let args = ["-tt", "-y", "-s", "4096", "-e", &format!("trace={CALLS}")];
    let service = Launch::on(data).under_strace(&args, &trace).start();
    assert_eq!(service.stop().code, Some(0));
    let calls = trace::read(&trace);
    let mut counts: HashMap<(&str, &str, PathBuf), usize> = HashMap::new();
    let mut points = BTreeSet::new();
    for call in calls.iter().take_while(|call| !call.args.contains("hitode listens")) {
        let Some(file) = file_of(&call.args, data) else {
            continue;
        };
        let count = counts.entry((&call.thread, &call.name, file.clone())).or_default();
        *count += 1;
        points.insert(Point {
            call: call.name.clone(),
            file,
            number: *count,
        });
    }
    points
}

/// The file of a call, by its descriptor or by its name, if it is the directory or inside it.
fn file_of(args: &str, data: &Path) -> Option<PathBuf> {
    let mut names = args.split(['<', '>', '"']).filter(|part| part.starts_with('/'));
    let file = names.find_map(|name| Path::new(name).strip_prefix(data).ok())?;
    Some(file.to_owned())
}

/// The first, the last, and some between, for each name and file.
fn spread(points: &BTreeSet<Point>) -> Vec<Point> {
    let mut alike: BTreeMap<(&str, &Path), Vec<&Point>> = BTreeMap::new();
    for point in points {
        alike.entry((&point.call, &point.file)).or_default().push(point);
    }
    let mut spread = Vec::new();
    for points in alike.into_values() {
        let some = points.len().min(OF_EACH);
        let places = (0..some).map(|place| place * (points.len() - 1) / (some - 1).max(1));
        spread.extend(places.map(|place| points[place].clone()));
    }
    spread
}

/// Writes one of each resource, and many workers; returns what the lists then show.
fn fill(data: &Path, workers: u64) -> (People, Value) {
    let mut service = Launch::on(data).start();
    let people = People::enter(&service, Caller::operator_of(&service));
    for first in (0..workers).step_by(IMPORTED_AT_ONCE as usize) {
        let last = workers.min(first + IMPORTED_AT_ONCE);
        let humans: Vec<Value> = (first..last).map(numbered).collect();
        let reply = people.operator.post("/humans/import", json!({ "humans": humans }));
        assert_eq!(reply.status, 201);
    }
    let posted = people.agent.post("/bounties", bounty("Photograph a shop front")).id();
    let apply = json!({ "message": "明日行けます。".repeat(1_000) });
    assert_eq!(
        people
            .worker
            .post(&format!("/bounties/{posted}/applications"), apply)
            .status,
        201
    );
    let begin = json!({ "human_id": people.human, "message": "Is ten o'clock fine?" });
    people.agent.post("/conversations", begin).id();
    let before = read_all(&people, workers);
    service.signal("KILL");
    service.end();
    (people, before)
}

fn numbered(number: u64) -> Value {
    let mut human = worker();
    human["headline"] = json!(format!("worker {number}"));
    human["bio"] = json!("写真を撮ります。".repeat(10));
    human
}

/// Lists and their totals; of the workers the first page, one in the middle and the last.
fn read_all(people: &People, workers: u64) -> Value {
    let agent = |path: &str| people.agent.get(path).json();
    let page = |offset: u64| agent(&format!("/humans?limit=100&offset={offset}"));
    json!([
        page(0),
        page(workers / 2),
        page(workers.saturating_sub(50)),
        agent("/humans?skill=Photography&limit=1"),
        agent("/bounties"),
        agent("/bounties/1/applications"),
        agent("/conversations"),
        people.worker.get("/applications").json(),
        people.operator.get("/accounts").json(),
    ])
}
