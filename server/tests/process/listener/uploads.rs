//! Files: what is decided before any of their bytes are read, slow ones, and one whose content is lost.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::Scene;
use test_support::http::{Answer, connect, rest};
use test_support::process::directory;

/// The longest file.
const LONGEST: usize = 25 << 20;
/// The places for files.
const PLACES: usize = 64;

/// The head of a request of the worker with a text of this length.
fn head(scene: &Scene, query: &str, length: usize, rest_of_head: &str) -> String {
    format!(
        "POST /worker/v1/files{query} HTTP/1.1\r\nhost: test\r\nx-worker-token: {}\r\ncontent-length: {length}\r\n\
         {rest_of_head}\r\n",
        scene.people.worker.secret
    )
}

const TEXT: &str = "content-type: text/plain\r\n";
const EXPECTING: &str = "content-type: text/plain\r\nexpect: 100-continue\r\n";

/// A request whose body the server has asked for. It holds its place and its reservation.
fn admitted(scene: &Scene, length: usize) -> TcpStream {
    let mut stream = connect(scene.service.address);
    stream
        .write_all(head(scene, "", length, EXPECTING).as_bytes())
        .expect("sent");
    let mut line = [0; 25];
    stream.read_exact(&mut line).expect("a line");
    assert_eq!(String::from_utf8_lossy(&line), "HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

/// The answer to a head of which no body is sent.
#[track_caller]
fn rejected(scene: &Scene, query: &str, length: usize, rest_of_head: &str) -> Answer {
    let mut stream = connect(scene.service.address);
    stream
        .write_all(head(scene, query, length, rest_of_head).as_bytes())
        .expect("sent");
    Answer::parse(&rest(stream))
}

#[track_caller]
fn is_over_quota(answer: &Answer) {
    let (status, text) = answer.status_and_error();
    assert_eq!(
        (status, text.as_str()),
        (403, "at most 104857600 bytes of files a day are allowed")
    );
}

#[test]
fn a_file_for_which_there_is_no_quota_is_rejected_before_it_is_read() {
    let scene = Scene::set();
    let worker = &scene.people.worker;
    assert_eq!(worker.upload("a first one").status, 201);
    // 75 MiB and 11 bytes of 100 MiB are stored or announced.
    let mut running: Vec<TcpStream> = (0..3).map(|_| admitted(&scene, LONGEST)).collect();
    let answer = rejected(&scene, "", LONGEST, EXPECTING);
    is_over_quota(&answer);
    assert_eq!(answer.header("connection"), Some("close"));
    // The agent has a quota of its own.
    assert_eq!(scene.people.agent.upload("another one").status, 200);
    let last = admitted(&scene, LONGEST - 11);
    is_over_quota(&worker.upload("x"));

    // What the table of errors has before it is still decided first.
    let wrong = |query, length, rest_of_head| rejected(&scene, query, length, rest_of_head).status;
    assert_eq!(wrong("?nme=x", 1, EXPECTING), 400);
    let twice = format!("{EXPECTING}idempotency-key: a\r\nidempotency-key: b\r\n");
    assert_eq!(wrong("", 1, &twice), 400);
    assert_eq!(wrong("", LONGEST + 1, EXPECTING), 413);
    assert_eq!(wrong("", 1, "content-type: image/gif\r\nexpect: 100-continue\r\n"), 415);

    // A client that does not wait gets the answer while it is sending, and can stop.
    let mut stream = connect(scene.service.address);
    stream
        .write_all(head(&scene, "", LONGEST, TEXT).as_bytes())
        .expect("sent");
    stream.write_all(&[b'x'; 1 << 16]).expect("sent");
    let mut start = [0; 12];
    stream.read_exact(&mut start).expect("an answer");
    assert_eq!(String::from_utf8_lossy(&start), "HTTP/1.1 403");

    // An upload that ends without a file gives back what it has reserved.
    running.pop();
    drop(last);
    let given_back = (0..1_000).any(|_| {
        thread::sleep(Duration::from_millis(10));
        worker.upload("x").status == 201
    });
    assert!(given_back);
    drop(running);
    scene.assert_unharmed();
}

#[test]
fn a_client_that_sends_all_of_a_rejected_file_can_go_on() {
    let scene = Scene::set();
    let _running: Vec<TcpStream> = (0..4).map(|_| admitted(&scene, LONGEST)).collect();
    let mut stream = connect(scene.service.address);
    for _ in 0..2 {
        let length = 4 << 20;
        stream
            .write_all(head(&scene, "", length, TEXT).as_bytes())
            .expect("sent");
        stream.write_all(&vec![b'x'; length]).expect("sent");
    }
    stream
        .write_all(head(&scene, "", 1, &format!("{TEXT}connection: close\r\n")).as_bytes())
        .expect("sent");
    stream.write_all(b"x").expect("sent");
    let answers = Answer::parse_all(&rest(stream));
    assert_eq!(answers.len(), 3);
    answers.iter().for_each(is_over_quota);
}

#[test]
fn a_repeated_file_gets_its_first_answer_even_if_the_quota_is_used_up() {
    let scene = Scene::set();
    let send = || {
        let mut stream = connect(scene.service.address);
        let rest_of_head = format!("{TEXT}idempotency-key: photo-1\r\nconnection: close\r\n");
        stream
            .write_all(head(&scene, "", 5, &rest_of_head).as_bytes())
            .expect("sent");
        stream.write_all(b"photo").expect("sent");
        Answer::parse(&rest(stream))
    };
    let id = send().id();
    let _running: Vec<TcpStream> = (0..3).map(|_| admitted(&scene, LONGEST)).collect();
    let _last = admitted(&scene, LONGEST - 5);
    is_over_quota(&scene.people.worker.upload("x"));
    let again = send();
    assert_eq!((again.header("idempotent-replayed"), again.id()), (Some("true"), id));
}

#[test]
fn slow_uploads_take_all_places_and_are_ended() {
    let scene = Scene::set();
    // At 2 KiB/s they would arrive within the ten minutes.
    let length = 400 << 10;
    let mut slow: Vec<TcpStream> = (0..PLACES).map(|_| admitted(&scene, length)).collect();
    let answer = rejected(&scene, "", 1, EXPECTING);
    let (status, text) = answer.status_and_error();
    assert_eq!(
        (status, text.as_str()),
        (503, "the server is busy, try again in a moment")
    );
    assert_eq!(answer.header("retry-after"), Some("1"));
    let answers = thread::scope(|scope| {
        let ended = slow.iter_mut().map(|stream| {
            scope.spawn(move || {
                stream
                    .set_read_timeout(Some(Duration::from_secs(1)))
                    .expect("a timeout");
                let mut answer = vec![0; 4096];
                for _ in 0..length / 2048 {
                    // After the answer, the connection may be gone.
                    let _ = stream.write_all(&[b'x'; 2048]);
                    if let Ok(read) = stream.read(&mut answer) {
                        answer.truncate(read);
                        return Answer::parse(&answer);
                    }
                }
                panic!("all of it was taken");
            })
        });
        let ended: Vec<_> = ended.collect();
        ended
            .into_iter()
            .map(|one| one.join().expect("an answer"))
            .collect::<Vec<_>>()
    });
    for answer in answers {
        let (status, text) = answer.status_and_error();
        assert_eq!(
            (status, text.as_str()),
            (408, "the body did not arrive within 600 s, or came too slowly")
        );
    }
    assert_eq!(scene.people.worker.upload("there are places again").status, 201);
    scene.assert_unharmed();
}

/// The last content in a directory of files.
fn content_in(files: &Path) -> PathBuf {
    let below = |path: &Path| {
        let entries = fs::read_dir(path).expect("a directory");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let directories = below(files).into_iter().filter(|path| !path.ends_with("incoming"));
    directories.flat_map(|path| below(&path)).last().expect("a content")
}

#[test]
fn a_file_whose_content_is_lost_is_named() {
    let directory = directory();
    let files = directory.path().join("files");
    let scene = Scene::set_with(|launch| launch.arg("--files").arg(&files.to_string_lossy()));
    let id = scene.people.worker.upload("the shop").id();
    let content = content_in(&files);
    let away = directory.path().join("away");
    fs::rename(&content, &away).expect("moved");
    let read = || scene.people.worker.get(&format!("/files/{id}"));
    let answer = read();
    let lost = format!("the content of file {id} is missing on the server");
    assert_eq!(answer.status_and_error(), (404, lost));
    assert_eq!(answer.header("x-error-code"), Some("lost_file"));
    let line = scene.service.log.wait_for("the content of a file is missing in");
    assert!(line.is_some_and(|line| line.contains("copy it there from the files of a backup")));
    fs::rename(&away, &content).expect("moved");
    assert_eq!(read().text(), "the shop");
}

#[test]
fn files_without_their_directory_are_unavailable() {
    let directory = directory();
    let files = directory.path().join("files");
    let scene = Scene::set_with(|launch| launch.arg("--files").arg(&files.to_string_lossy()));
    let id = scene.people.worker.upload("the shop").id();
    let read = || scene.people.worker.get(&format!("/files/{id}"));
    let away = directory.path().join("away");
    fs::rename(&files, &away).expect("moved");
    // A disk that is not mounted leaves an empty directory.
    fs::create_dir(&files).expect("a directory");
    let answer = read();
    let unavailable = (503, "the service is not available, try again in a moment".to_owned());
    assert_eq!(answer.status_and_error(), unavailable);
    assert_eq!(answer.header("retry-after"), Some("1"));
    let line = scene.service.log.wait_for("the directory of files");
    assert!(line.is_some_and(|line| line.contains("mount its disk or move it back")));
    fs::remove_dir(&files).expect("it is empty");
    fs::rename(&away, &files).expect("moved");
    assert_eq!(read().text(), "the shop");
    let content = content_in(&files);
    fs::write(&content, "the sh").expect("written");
    assert_eq!(read().status_and_error(), unavailable);
    let line = scene.service.log.wait_for("has another length than its record");
    assert!(line.is_some_and(|line| line.contains("replace it with the one of a backup")));
}
