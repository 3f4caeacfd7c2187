//! `import` without disturbance: valid lines, invalid lines, many lines.

use std::fs;
use std::process::Child;
use std::time::Instant;

use serde_json::{Value, json};

use super::people_file::{all_are_there_once, entered, import, line, lines};
use super::{Call, Printed, file, server};
use crate::listener::is_long;
use test_support::people::{Caller, worker};
use test_support::process::{DEADLINE, directory};

/// The numbers of the rejected lines and their messages.
fn rejected(document: &Value) -> Vec<(u64, String)> {
    let rejected = document["refused"].as_array().expect("an array").iter();
    rejected
        .map(|one| {
            (
                one["line"].as_u64().expect("a number"),
                one["error"].as_str().expect("a text").to_owned(),
            )
        })
        .collect()
}

#[test]
fn every_worker_is_entered_in_order_and_a_second_run_adds_nothing() {
    let data = directory();
    let service = server(data.path());
    let people = file(data.path(), "people.jsonl", lines(1_300));
    let import = || import(&people, &service);

    let ended = import().run().well();
    assert!(
        ended.out.starts_with("1300 workers entered, 0 lines rejected."),
        "{ended:?}"
    );
    all_are_there_once(&service, 1_300);

    let again = import().run();
    let mut output = again.out.lines();
    assert_eq!((again.code, output.next()), (Some(0), ended.out.lines().next()));
    let remembered = output.next().expect("a second line");
    assert!(
        remembered.starts_with("1300 workers of these by earlier runs, according to ")
            && remembered.contains("people.jsonl.progress: the server was not asked."),
        "{remembered}"
    );
    let document = import().arg("--json").run().json();
    let ids: Vec<i64> = document["entered"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["id"].as_i64().expect("an id"))
        .collect();
    assert_eq!(ids, (1..=1_300).collect::<Vec<i64>>());
    assert_eq!(
        (&document["finished"], &document["entered"][7]),
        (&json!(true), &json!({ "line": 8, "id": 8 }))
    );
    all_are_there_once(&service, 1_300);
}

#[test]
fn lines_may_be_added_to_a_file_but_not_changed() {
    let data = directory();
    let service = server(data.path());
    let people = file(data.path(), "people.jsonl", lines(30));
    import(&people, &service).run().well();
    fs::write(&people, lines(40)).expect("written");
    assert_eq!(import(&people, &service).run().code, Some(0));
    all_are_there_once(&service, 40);

    fs::write(&people, lines(40).replacen("Worker 3\"", "Worker X\"", 1)).expect("written");
    let output = import(&people, &service).run().failed();
    assert!(
        output.contains("changed at or before line 40") && output.contains("another file"),
        "{output}"
    );
    all_are_there_once(&service, 40);
}

#[test]
fn a_bad_line_is_named_by_its_number_and_loses_no_good_one() {
    let data = directory();
    let service = server(data.path());
    let mut wrong = worker();
    wrong["hourly_rate"] = json!(-1);
    wrong["name"] = json!("");
    let mut misspelt = worker();
    // A key that looks like the place of another line.
    misspelt["humans[0].name"] = json!("`humans[1]`");
    let file_lines: Vec<Vec<u8>> = vec![
        line(1).into(),
        b"\n".to_vec(),
        format!("{wrong}\n").into(),
        line(2).into(),
        b"{\"name\": \n".to_vec(),
        b"{\"name\": \"\xff\"}\n".to_vec(),
        b"[]\n".to_vec(),
        format!("{misspelt}\n").into(),
        format!("{{\"bio\": \"{}\"}}\n", "x".repeat(2 << 20)).into(),
        format!("{{\"bio\": \"{}\"}}\n", "x".repeat(20_000)).into(),
        line(3).into(),
        format!("{0},{0}\n", line(9).trim()).into(),
        format!("{{\"bio\": {}{}}}\n", "[".repeat(126), "]".repeat(126)).into(),
        line(4).trim().into(),
    ];
    let people = file(data.path(), "people.jsonl", file_lines.concat());
    let ended = import(&people, &service).arg("--json").run();
    assert_eq!(ended.code, Some(1));

    let rejected = rejected(&ended.json());
    let numbers: Vec<u64> = rejected.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [3, 5, 6, 7, 8, 9, 10, 12, 13]);
    for (nth, parts) in [
        &["`hourly_rate` must be", "`name` must"][..],
        &["the line is not valid JSON", "column"],
        &["the line is not UTF-8"],
        &["the line must be an object, not a list"],
        &["`humans[0].name` is not known here"],
        &["longer than 1048576 bytes"],
        &["`bio`", "`headline`"],
        &["trailing characters"],
        &["recursion limit"],
    ]
    .iter()
    .enumerate()
    {
        let (number, output) = &rejected[nth];
        assert!(
            parts.iter().all(|part| output.contains(part)),
            "{number}: {output:.200}"
        );
        assert!(
            ended.err.contains(&format!("line {number}: {output}\n")),
            "{output:.200}"
        );
    }
    all_are_there_once(&service, 4);
}

#[test]
fn a_file_in_another_format_is_rejected_in_one_line() {
    let data = directory();
    let service = server(data.path());
    let table = "name,city\n".to_owned() + &"Sato,Tokyo\n".repeat(10_000);
    let array = format!("[\n{}]\n", "  {},\n".repeat(10_000));
    for (text, what) in [(table, "no column is `headline`, "), (array, " is a JSON array, ")] {
        let people = file(data.path(), "people", text);
        let output = import(&people, &service).run().failed();
        assert!(
            output.contains(what) && output.trim_end().lines().count() == 1,
            "{output:.1000}"
        );
        assert!(!data.path().join("people.progress").exists() && !data.path().join("people.rejects").exists());
    }
    assert!(entered(&service).is_empty());
}

/// As a spreadsheet in Japan writes it: Shift_JIS, headings of its own, amounts with a comma.
#[test]
fn a_table_is_imported_and_its_wrong_row_is_named() {
    let data = directory();
    let service = server(data.path());
    let table = "氏名,見出し,紹介,city,state,gender,料金,技能,電話\r\n\
                 Worker 1,商品撮影,,横浜市,神奈川県,female,\"2,500\",写真:Photo; Cooking:Home,090\r\n\
                 Worker 2,\"料理\n二行\",,足立区,東京都,male,高い,,\r\n\
                 Worker 3,料理,,足立区,東京都,male,2000,,\r\n";
    let (shift_jis, ..) = encoding_rs::SHIFT_JIS.encode(table);
    let people = data.path().join("people.csv");
    std::fs::write(&people, shift_jis).expect("the folder can be written");
    let unmapped = import(&people, &service).run().failed();
    assert!(
        unmapped.contains("the column `氏名` is no member of a worker"),
        "{unmapped}"
    );
    let map =
        "--map name=氏名 --map headline=見出し --map bio=紹介 --map hourly_rate=料金 --map skills=技能 --ignore 電話";
    let call = || map.split(' ').fold(import(&people, &service), Call::arg);
    let ended = call().run();
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended.err.contains("line 3: `hourly_rate` must be a number"),
        "{ended:?}"
    );
    assert_eq!(
        entered(&service).into_keys().collect::<Vec<_>>(),
        ["Worker 1", "Worker 3"]
    );
    let shown = Call::from_line("worker show 1 --json").at(&service).run().well().json();
    assert_eq!(
        (&shown["hourly_rate"], &shown["skills"][0]["name"], &shown["headline"]),
        (&json!(2500), &json!("写真"), &json!("商品撮影"))
    );
    // The same command enters nobody twice, and the rejected row can be corrected.
    assert!(
        call().arg("--json").run().json()["entered"]
            .as_array()
            .is_some_and(|all| all.len() == 2)
    );
    let rejects = data.path().join("people.csv.rejects");
    let row = std::fs::read_to_string(&rejects)
        .expect("it is there")
        .replace("\"高い\"", "1800");
    let corrected = file(data.path(), "corrected.jsonl", row);
    import(&corrected, &service).run().well();
    assert_eq!(entered(&service).len(), 3);
}

#[test]
fn rejected_lines_are_in_a_file_to_be_corrected_and_imported() {
    let data = directory();
    let service = server(data.path());
    let mut wrong = worker();
    wrong["name"] = json!("Worker 2");
    wrong["hourly_rate"] = json!(-1);
    let text = format!("{}{wrong}\n{}", line(1), line(3));
    let people = file(data.path(), "people.jsonl", text);
    let ended = import(&people, &service).run();
    assert_eq!(ended.code, Some(1));
    let rejects = data.path().join("people.jsonl.rejects");
    assert!(
        ended
            .out
            .contains(&format!("Correct the rejected lines in {}", rejects.display())),
        "{}",
        ended.out
    );
    let rejected = fs::read_to_string(&rejects).expect("the file");
    assert_eq!(rejected, format!("{wrong}\n"));

    fs::write(&rejects, rejected.replace("-1", "1000")).expect("corrected");
    let ended = import(&rejects, &service).run();
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert_eq!(entered(&service).len(), 3);
}

#[test]
fn a_dry_run_reports_what_would_happen_and_needs_no_server() {
    let data = directory();
    let mut wrong = worker();
    (wrong["gender"], wrong["state"]) = (json!("unknown"), json!("Tokio"));
    let mut elsewhere = worker();
    elsewhere["state"] = json!("Tokio");
    let text = format!("{}{wrong}\nnonsense\n{elsewhere}\n", line(1));
    let people = file(data.path(), "people.jsonl", text);
    let ended = Call::from_line("import --dry-run").arg(&people.to_string_lossy()).run();
    assert_eq!(ended.code, Some(1));
    assert_eq!(
        ended.out,
        "2 workers would be entered, 2 lines would be rejected. Nothing was sent.\n"
    );
    for part in [
        "line 2: `gender` must be",
        "line 3: the line is not valid JSON",
        "line 4: warning",
    ] {
        assert!(ended.err.contains(part), "{part}: {}", ended.err);
    }
    let others = fs::read_dir(data.path()).expect("readable").count();
    assert_eq!(others, 1, "it leaves no file behind");
}

#[test]
fn standard_input_is_imported_and_leaves_nothing_behind() {
    let (data, empty) = (directory(), directory());
    let service = server(data.path());
    let import = || Call::from_line("import -").at(&service).within(empty.path());
    let ended = import().run_on(&lines(700)).well();
    assert_eq!(ended.out, "700 workers entered, 0 lines rejected.\n");

    let in_state = |n: usize, state: &str| {
        let mut human: Value = serde_json::from_str(&line(n)).expect("JSON");
        human["state"] = json!(state);
        format!("{human}\n")
    };
    let states = ["Tokyo-to", "Tokio", "大阪", "California"];
    let odd: String = (701..).zip(states).map(|(n, state)| in_state(n, state)).collect();
    let ended = import().run_on(&odd);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (Some(0), "4 workers entered, 0 lines rejected.\n")
    );
    let warned = "line 2: warning: `state` is `Tokio`, which is none of the 47 prefectures, did you mean 東京都 (Tokyo)?\n\
                  line 4: warning: `state` is `California`, which is none of the 47 prefectures\n";
    assert_eq!(ended.err, warned);

    let document = import().arg("--json").run_on("\n{}\n").json();
    assert_eq!(rejected(&document)[0].0, 2);
    assert_eq!(import().run_on("").well().out, "0 workers entered, 0 lines rejected.\n");
    all_are_there_once(&service, 704);
    assert_eq!(fs::read_dir(empty.path()).expect("readable").count(), 0);
}

#[test]
fn the_progress_of_one_server_is_not_taken_for_that_of_another() {
    let (data, other) = (directory(), directory());
    let (service, second) = (server(data.path()), server(other.path()));
    let people = file(data.path(), "people.jsonl", lines(3));
    import(&people, &service).run().well();
    let output = import(&people, &second).run().failed();
    assert!(
        output.contains(&format!("into http://{}", service.address)) && output.contains("--progress FILE"),
        "{output}"
    );
    let elsewhere = other.path().join("elsewhere");
    import(&people, &second)
        .arg("--progress")
        .arg(&elsewhere.to_string_lossy())
        .run()
        .well();
    all_are_there_once(&second, 3);
    let output = import(&people, &second)
        .arg("--progress")
        .arg(&people.to_string_lossy())
        .run()
        .failed();
    assert!(output.contains("is not the progress file of an import"), "{output}");
}

#[test]
fn many_lines_with_bad_ones_among_them_take_little_memory() {
    let lines = if is_long() { 50_000 } else { 10_000 };
    let data = directory();
    let service = server(data.path());
    let is_bad = |n: &usize| n.is_multiple_of(997);
    let text: String = (1..=lines)
        .map(|n| if is_bad(&n) { "{\"name\": 1}\n".into() } else { line(n) })
        .collect();
    let people = file(data.path(), "people.jsonl", text);
    let begun = Instant::now();
    let mut child = import(&people, &service).arg("--json").start();
    let (peak, ended) = peak_memory(&mut child);
    println!("{lines} lines in {:?}, at most {peak} KiB resident", begun.elapsed());

    assert_eq!(ended.code, Some(1), "{}", ended.err);
    let document = ended.json();
    let bad: Vec<usize> = (1..=lines).filter(is_bad).collect();
    assert_eq!(
        rejected(&document)
            .iter()
            .map(|(number, _)| *number as usize)
            .collect::<Vec<_>>(),
        bad
    );
    assert_eq!(document["entered"].as_array().map(Vec::len), Some(lines - bad.len()));
    assert_eq!(entered(&service).len(), lines - bad.len());
    // For 50,000 lines, the file has 15 MB and the document 1.5 MB.
    assert!(peak < 100 << 10, "{peak} KiB");
}

/// The peak memory of `child` in KiB, as far as it was sampled, and its output.
fn peak_memory(child: &mut Child) -> (u64, Printed) {
    let (out, err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let reading = [
        std::thread::spawn(move || std::io::read_to_string(out)),
        std::thread::spawn(move || std::io::read_to_string(err)),
    ];
    let mut peak = 0;
    let begun = Instant::now();
    let code = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = resident.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kib.unwrap_or_default());
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code();
        }
        assert!(begun.elapsed() < DEADLINE * 4, "it does not end");
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    let [out, err] = reading.map(|reading| reading.join().expect("no panic").expect("text"));
    (peak, Printed { code, out, err })
}

#[test]
fn a_file_that_is_imported_again_changes_those_who_are_there() {
    let data = directory();
    let service = server(data.path());
    let numbered = |n: usize, city: &str| {
        let mut human = worker();
        human["name"] = json!(format!("Worker {n}"));
        human["external_id"] = json!(format!("W-{n}"));
        human["city"] = json!(city);
        format!("{human}\n")
    };
    let first: String = (1..=40).map(|n| numbered(n, "横浜市")).collect();
    let first = file(data.path(), "first.jsonl", first);
    import(&first, &service).run().well();

    let second: String = (31..=50).map(|n| numbered(n, "京都市")).collect();
    let second = file(data.path(), "second.jsonl", second);
    let document = import(&second, &service).arg("--json").run().json();
    let wanted: Vec<_> = (1..=10)
        .map(|line| (line, "another worker has this `external_id`".to_owned()))
        .collect();
    assert_eq!(rejected(&document), wanted);
    all_are_there_once(&service, 50);

    let third: String = (31..=60).map(|n| numbered(n, "大阪市")).collect();
    let third = file(data.path(), "third.jsonl", third);
    let ended = import(&third, &service).arg("--update").run().well();
    assert!(
        ended
            .out
            .starts_with("30 workers entered or changed, 0 lines rejected."),
        "{ended:?}"
    );
    all_are_there_once(&service, 60);
    let operator = Caller::operator_of(&service);
    let cities =
        [30, 31, 50, 60].map(|n| operator.get(&format!("/humans?external_id=W-{n}")).data()[0]["city"].clone());
    assert_eq!(cities, ["横浜市", "大阪市", "大阪市", "大阪市"]);
}
