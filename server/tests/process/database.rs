//! Servers over a PostgreSQL database, as processes. `tests/with-postgres` starts one.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use test_support::http::call;
use test_support::people::{Caller, People, bounty};
use test_support::process::{DEADLINE, Launch, Service, database, directory, program};

const WITH_POSTGRES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/with-postgres");

/// Runs a statement and returns the rows, a line each.
fn sql(url: &str, statement: &str) -> String {
    let done = Command::new("psql")
        .args([url, "-qAtc", statement])
        .output()
        .expect("psql");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

fn hitode(args: &[&str]) -> String {
    let done = Command::new(program()).args(args).output().expect("it runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

fn over(url: &str, data: &Path) -> Service {
    Launch::on(data)
        .variable("HITODE_DATABASE_URL", url)
        .variable("HITODE_OPERATOR_TOKEN", "operator-token-of-all-servers")
        .start()
}

/// Waits until this is so.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < DEADLINE, "never: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn leads(service: &Service) -> bool {
    let metrics = call(service.address, "GET", "/metrics", &[], None).text();
    metrics.lines().any(|line| line == "hitode_leader 1")
}

#[test]
fn what_one_server_does_holds_for_all_and_goes_on_without_it() {
    let url = database("two");
    let (here, there) = (directory(), directory());
    let (first, second) = (over(&url, here.path()), over(&url, there.path()));
    let people = People::enter(&first, Caller::operator(&first, "operator-token-of-all-servers"));
    let agent = people.agent.at(&second);
    until("the key works on the other server", || {
        agent.get("/account").status == 200
    });
    let id = people.agent.post("/bounties", bounty("Carry a parcel")).id();
    until("the bounty is shown by the other server", || {
        agent.get(&format!("/bounties/{id}")).status == 200
    });
    let made = agent.post("/keys", serde_json::json!({ "name": "second" })).data();
    let second_key = Caller::agent(&first, made["key"].as_str().expect("a key"));
    until("the second key works", || second_key.get("/account").status == 200);
    let deleted = agent.delete(&format!("/keys/{}", made["id"]));
    assert_eq!(deleted.status, 200);
    assert_eq!(second_key.get("/account").status, 401, "it has ended on every server");
    until("one leads", || leads(&first) != leads(&second));
    let (leader, other) = if leads(&first) {
        (first, second)
    } else {
        (second, first)
    };
    assert_eq!(leader.stop().code, Some(0));
    until("the other one leads", || leads(&other));
    assert_eq!(people.agent.at(&other).post("/bounties", bounty("Go on")).status, 201);
}

/// As after an upgrade of the machine's C library.
#[test]
fn a_database_that_warns_everybody_who_connects_can_be_used() {
    let url = database("warns");
    sql(
        &url,
        "UPDATE pg_database SET datcollversion = '0' WHERE datname = 'warns'",
    );
    let data = directory();
    let service = over(&url, data.path());
    let people = People::enter(&service, Caller::operator(&service, "operator-token-of-all-servers"));
    assert_eq!(people.agent.post("/bounties", bounty("Carry a parcel")).status, 201);
}

/// How many of 90 requests with each of these keys were within the limits.
fn accepted(keys: &[Caller], service: &Service) -> usize {
    let keys: Vec<Caller> = keys.iter().map(|key| key.at(service)).collect();
    let mut count = 0;
    for _ in 0..90 {
        count += keys.iter().filter(|key| key.get("/account").status == 200).count();
        // The servers exchange their counts meanwhile.
        thread::sleep(Duration::from_millis(20));
    }
    count
}

/// `owner_rate` in `api.yaml`: 300 a minute for all keys of an account.
#[test]
fn the_requests_of_an_account_are_counted_by_two_servers_together() {
    let url = database("limits");
    let (here, there) = (directory(), directory());
    let (first, second) = (over(&url, here.path()), over(&url, there.path()));
    let people = People::enter(&first, Caller::operator(&first, "operator-token-of-all-servers"));
    let more = ["second", "third"].map(|name| {
        let made = people.agent.post("/keys", serde_json::json!({ "name": name })).data();
        Caller::agent(&first, made["key"].as_str().expect("a key"))
    });
    let [second_key, third_key] = more;
    let keys = [people.agent, second_key, third_key];
    let seconds = || UNIX_EPOCH.elapsed().expect("a time").as_secs();
    let mut used = 0;
    loop {
        // The limit is that of a minute: all of it has to be in one.
        until("a minute with time left", || {
            seconds() / 60 > used && seconds() % 60 < 45
        });
        let minute = seconds() / 60;
        let counts = (accepted(&keys, &first), accepted(&keys, &second));
        used = seconds() / 60;
        if used == minute {
            assert!(counts.0 > 250 && counts.1 < 150, "{counts:?}");
            return;
        }
    }
}

/// The bodies of lists and records of all APIs.
fn answers(service: &Service, people: &People, operator: &str) -> Vec<String> {
    let agent = people.agent.at(service);
    let of_agent = [
        "/humans?limit=50",
        "/bounties?limit=50",
        "/bounties/1",
        "/conversations",
        "/humans/7",
        "/account",
    ];
    let of_worker = ["/me", "/applications", "/conversations", "/events?after=0"];
    let of_operator = ["/accounts"];
    let worker = people.worker.at(service);
    let operator = Caller::operator(service, operator);
    let agent = of_agent.map(|path| agent.get(path).text());
    let worker = of_worker.map(|path| worker.get(path).text());
    let operator = of_operator.map(|path| operator.get(path).text());
    [&agent[..], &worker[..], &operator[..]].concat()
}

#[test]
fn a_backup_moves_the_data_into_a_database_and_back() {
    let (url, folder) = (database("moved"), directory());
    let token = "operator-token-of-all-servers";
    let path = |name: &str| folder.path().join(name);
    let text = |path: PathBuf| path.to_str().expect("UTF-8").to_owned();
    let embedded = Launch::on(&path("embedded"))
        .arg("--demo")
        .variable("HITODE_OPERATOR_TOKEN", token);
    let embedded = embedded.start();
    let people = People::enter(&embedded, Caller::operator(&embedded, token));
    people.agent.post("/bounties", bounty("Carry a parcel"));
    let photo = format!("/files/{}", people.worker.upload("a photo").id());
    let before = answers(&embedded, &people, token);
    assert!(
        before.iter().all(|body| body.starts_with(r#"{"success":true"#)),
        "all are answered"
    );
    assert_eq!(embedded.stop().code, Some(0));

    let file = text(path("market.backup"));
    hitode(&["backup", &file, "--data", &text(path("embedded"))]);
    let exact = ["--keep-credentials", "--id-gap", "0"];
    let files = text(path("files"));
    let restored = hitode(
        &[
            &["restore", &file, "--database-url", &url, "--files", &files],
            &exact[..],
        ]
        .concat(),
    );
    assert!(restored.contains(" and 1 file of "), "{restored}");
    let service = Launch::on(&path("copy")).arg("--files").arg(&files);
    let service = service
        .variable("HITODE_DATABASE_URL", &url)
        .variable("HITODE_OPERATOR_TOKEN", token)
        .start();
    assert_eq!(answers(&service, &people, token), before);
    assert_eq!(people.worker.at(&service).get(&photo).text(), "a photo");

    let back = text(path("back.backup"));
    let address = format!("http://{}", service.address);
    let copied = Command::new(program())
        .args(["backup", &back, "--url", &address, "--files", &files])
        .env("HITODE_OPERATOR_TOKEN", token)
        .status();
    assert!(copied.expect("it runs").success());
    hitode(&[&["restore", &back, "--data", &text(path("back"))], &exact[..]].concat());
    let embedded = Launch::on(&path("back"))
        .variable("HITODE_OPERATOR_TOKEN", token)
        .start();
    assert_eq!(answers(&embedded, &people, token), before);
    assert_eq!(people.worker.at(&embedded).get(&photo).text(), "a photo");

    let again = Command::new(program())
        .args(["restore", &file, "--database-url", &url])
        .output();
    let again = again.expect("it runs");
    assert_eq!(again.status.code(), Some(1));
    let error = String::from_utf8(again.stderr).expect("text");
    assert!(
        error.contains("the database is not empty; restore into a new one"),
        "{error}"
    );
}

/// A PostgreSQL server of its own, until this is dropped.
struct Postgres {
    process: Child,
    url: String,
}

impl Postgres {
    fn start() -> Self {
        let mut process = Command::new(WITH_POSTGRES)
            .args(["sh", "-c", "echo $HITODE_TEST_POSTGRES; read -r end"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the script starts");
        let mut url = String::new();
        let output = process.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut url).expect("its URL");
        let url = url.trim().to_owned();
        Self { process, url }
    }

    /// Lets it encrypt connections with a certificate for `localhost`. Returns the certificate.
    fn encrypt(&self) -> String {
        let rcgen::CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let admin = format!("{}/postgres", self.url);
        for (file, text) in [("server.crt", cert.pem()), ("server.key", signing_key.serialize_pem())] {
            let lines = text.lines().map(|line| format!("('{line}')"));
            let lines = lines.collect::<Vec<_>>().join(",");
            let written = format!("COPY (VALUES {lines}) TO PROGRAM 'umask 077; cat > {file}'");
            sql(&admin, &written);
        }
        sql(&admin, "ALTER SYSTEM SET ssl = on");
        sql(&admin, "SELECT pg_reload_conf()");
        until("connections are encrypted", || {
            let url = format!("{admin}?sslmode=require");
            let asked = Command::new("psql").args([&url, "-c", "SELECT 1"]).output();
            asked.expect("psql").status.success()
        });
        cert.pem()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // The end of its input ends the command, and then the script stops the server.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

#[test]
fn the_certificate_of_the_database_must_be_trusted_and_have_its_name() {
    let postgres = Postgres::start();
    let folder = directory();
    let roots = folder.path().join("roots.pem");
    std::fs::write(&roots, postgres.encrypt()).expect("a file");
    let roots = roots.to_str().expect("UTF-8");
    let by_address = format!("{}/postgres?sslmode=verify-full", postgres.url);
    let by_name = by_address.replace("127.0.0.1", "localhost");
    let start = |url: &str, roots: Option<&str>| {
        let launch = Launch::anywhere().variable("HITODE_DATABASE_URL", url);
        let launch = roots.map_or(Launch::anywhere().variable("HITODE_DATABASE_URL", url), |roots| {
            launch.variable("SSL_CERT_FILE", roots)
        });
        launch.try_start()
    };
    for (url, roots, cause) in [
        (&by_name, None, "UnknownIssuer"),
        (&by_address, Some(roots), "not valid for name"),
    ] {
        let ended = start(url, roots).err().expect("it does not start");
        assert_eq!(ended.code, Some(1));
        assert!(ended.log.contains(cause), "{}", ended.log);
    }
    let _service = start(&by_name, Some(roots)).ok().expect("it starts");
    let encrypted =
        "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'hitode'";
    assert_eq!(sql(&format!("{}/postgres", postgres.url), encrypted).trim(), "t");
}
