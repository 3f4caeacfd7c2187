//! Expected texts of the emitters, so that a change of an emitter is a readable difference.
//!
//! `expected/hitode/` holds code of the published contract, `published/api.yaml`, and `expected/lockers/` code that only
//! `tests/lockers/api.yaml` shows: a file for each part, and one for each surface with one operation of each kind.
//! `expected/lighthouse/` holds the tests of a small contract as functions, `expected/lighthouse.yaml`; those of the others are
//! as many as 2,000. The files end in `.rs.txt`, so that tools do not take them for sources. `expected/openapi/` holds some
//! paths of the OpenAPI document of the lockers in 3.1, and how the document of one surface differs in 3.0, `expected/llms/` their texts for agents, `expected/page/` the page of the lighthouse, one line for
//! each tag. `REWRITE=1 cargo test -p hitode-codegen expected` rewrites them: read the difference before you commit it.

use crate::language::understood;
use codegen::Options;
use codegen::documents::llms;
use codegen::documents::openapi::{self, Version};
use codegen::emit;
use similar::TextDiff;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a failure message.
const SHOWN_LINES: usize = 80;

/// Every part outside of the surfaces, one surface, and one operation of each kind.
const OF_HITODE: [&str; 19] = [
    "values",
    "decoders",
    "records",
    "views",
    "inputs",
    "errors",
    "envelope",
    "bodies",
    "callers",
    "guards",
    "limits",
    "service",
    "agent",
    "agent/list_humans",
    "agent/create_bounty",
    "agent/decide_application",
    "agent/get_conversation",
    "agent/create_key",
    "operator/update_account",
];

/// Keys and indexes, limits by address, a surface without a credential, and further kinds of operations: with ids in the body, pages by number,
/// inputs in a list, a wait, no limit.
const OF_LOCKERS: [&str; 9] = [
    "indexes",
    "limits",
    "pulse/ping",
    "finder",
    "finder/list_stations",
    "courier/announce_parcel",
    "courier/store_parcel",
    "recipient/await_parcel",
    "depot/create_compartments",
];

/// Paths of the lockers with operations of each kind: without a credential, lists, with ids in the body, transitions, a wait,
/// inputs in a list, with a secret in the answer, deletions.
const PATHS: [&str; 10] = [
    "/pulse/ping",
    "/find/stations",
    "/courier/v1/parcels",
    "/courier/v1/parcels/{id}/status",
    "/courier/v1/stations/{station}/reservations",
    "/courier/v1/reservations/{id}",
    "/me/v1/profile",
    "/me/v1/parcels/{id}/next",
    "/depot/couriers/{id}/terminals",
    "/depot/stations/{station}/compartments",
];

/// Texts by the path of their file.
type Texts = BTreeMap<PathBuf, String>;

#[test]
fn the_code_of_hitode_is_as_expected() {
    check(
        "hitode",
        code(include_str!("published/api.yaml"), "api.yaml", &OF_HITODE),
    );
}

#[test]
fn the_code_of_the_lockers_is_as_expected() {
    let source = include_str!("../../tests/lockers/api.yaml");
    let mut files = code(source, "tests/lockers/api.yaml", &OF_LOCKERS);
    let handlers = emit::handlers(&understood(source));
    let handlers = handlers.iter().map(|handler| {
        format!(
            "{}: {}
",
            handler.name,
            handler.origin()
        )
    });
    files.push(("handlers.txt".to_owned(), handlers.collect()));
    check("lockers", files);
}

#[test]
fn a_handler_that_is_written_by_hand_is_not_emitted() {
    let model = understood(include_str!("../../tests/durability/services/notes.yaml"));
    let options = Options {
        file: "notes.yaml",
        support: "codegen_support",
    };
    let code = |by_hand: &[&str]| {
        let by_hand = by_hand.iter().map(|name| (*name).to_owned()).collect();
        let store = "codegen_store";
        emit::rust_with_store(
            &model,
            options,
            emit::Keeping {
                store,
                by_hand: &by_hand,
                host: None,
            },
        )
    };
    let has = |code: &str, implemented: &str| code.contains(&format!("> super::{implemented} for A"));
    let all = code(&[]);
    assert!(has(&all, "board::CreateNote") && has(&all, "board::ListNotes") && has(&all, "FindNote"));
    let some = code(&["CreateNote", "contract::FindNote", "other::ListNotes"]);
    assert!(!has(&some, "board::CreateNote") && has(&some, "board::ListNotes") && !has(&some, "FindNote"));
}

/// Whether the handler of this name is emitted, or why not.
fn origin(contract: &str, name: &str) -> String {
    let handlers = emit::handlers(&understood(contract));
    let mut handlers = handlers.iter();
    handlers.find(|one| one.name == name).expect("it is there").origin()
}

#[test]
fn a_change_may_leave_out_a_member_that_has_no_default() {
    let lockers = include_str!("../../tests/lockers/api.yaml");
    let with_default = lockers.replacen(
        "note: note? -- Replaces the former note.",
        "kind: DefectKind = other",
        1,
    );
    let [optional, with_default] = [lockers, &with_default].map(|contract| origin(contract, "depot::MoveDefect"));
    let by_hand = "by hand: `kind` may be absent from the body";
    assert_eq!((&*optional, &*with_default), ("emitted", by_hand));
}

#[test]
fn a_handler_that_would_change_what_other_records_show_is_not_emitted() {
    let work = include_str!("../../tests/durability/services/work.yaml");
    let delete = "      get_job:\n";
    let delete = work.replacen(
        delete,
        &format!("      delete_job:\n        DELETE: /jobs/:id\n        path: {{ id: Job.id }}\n        guards: [exists Job, owner Job]\n        ends: Job\n        event: none\n        success: {{}}\n{delete}"),
        1,
    );
    let change = work
        .replacen("      last_note_id: Note.id", "      newest: text = latest Note.text\n      last_note_id: Note.id", 1)
        .replacen(
            "      answer_thread:\n",
            "      change_note:\n        PATCH: /notes/:id\n        path: { id: Note.id }\n        body: { resource: Note, at_least_one_of: [text] }\n        guards: [exists Note]\n        changes: Note\n        event: none\n        success: {}\n      answer_thread:\n",
            1,
        );
    assert_eq!(
        origin(&delete, "members::DeleteJob"),
        "by hand: other records show what it ends"
    );
    assert_eq!(
        origin(&change, "office::ChangeNote"),
        "by hand: another record keeps the latest `text`"
    );
    assert_eq!(origin(&change, "office::AnswerThread"), "emitted");
}

/// These parts of a contract's code; the parts of a surface form one file.
fn code(source: &str, file: &str, stored: &[&str]) -> Vec<(String, String)> {
    let options = Options {
        file,
        support: "codegen_support",
    };
    let mut files: Vec<(String, String)> = Vec::new();
    for part in emit::parts(&understood(source), options) {
        if !stored.contains(&part.name.as_str()) {
            continue;
        }
        let name = part.name.split('/').next().unwrap_or_default().to_owned() + ".rs.txt";
        let (_, without_heading) = part.text.split_once('\n').expect("a file has a heading");
        match files.iter_mut().find(|(known, _)| *known == name) {
            Some((_, text)) => text.push_str(without_heading),
            None => files.push((name, part.text)),
        }
    }
    files
}

#[test]
fn the_documents_of_the_lockers_are_as_expected() {
    let model = understood(include_str!("../../tests/lockers/api.yaml"));
    let document = |version, surface| {
        let document = openapi::document(&model, version, surface).expect("there is such a surface");
        document.pretty()
    };
    let [newer, older] = [Version::V3_1, Version::V3_0].map(|version| document(version, Some("recipient")));
    let difference = TextDiff::from_lines(&newer, &older);
    let hunks = difference.unified_diff().context_radius(1).iter_hunks().map(|hunk| {
        let text = hunk.to_string();
        // Line numbers would change with each line above them.
        let (_, lines) = text.split_once('\n').expect("a hunk has a header");
        format!("@@\n{lines}")
    });
    let texts = [
        ("3.1.json.txt", only(&PATHS, &document(Version::V3_1, None))),
        ("3.0.diff", hunks.collect()),
    ];
    check("openapi", texts.map(|(file, text)| (file.to_owned(), text)).to_vec());
}

/// An OpenAPI document without the other paths.
fn only(paths: &[&str], document: &str) -> String {
    let mut is_kept = true;
    let lines = document.lines().filter(|line| {
        if let Some((path, _)) = line.strip_prefix("    \"/").and_then(|line| line.split_once('"')) {
            is_kept = paths.iter().any(|kept| kept[1..] == *path);
        }
        // The end of the paths.
        is_kept |= *line == "  },";
        is_kept
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn the_texts_for_agents_of_the_lockers_are_as_expected() {
    let model = understood(include_str!("../../tests/lockers/api.yaml"));
    let texts = [("all.txt", None), ("recipient.txt", Some("recipient"))];
    let texts = texts.map(|(file, surface)| {
        let text = llms::text(&model, surface).expect("there is such a surface");
        (file.to_owned(), text)
    });
    check("llms", texts.to_vec());
}

#[test]
fn the_page_of_the_lighthouse_is_as_expected() {
    let model = understood(include_str!("expected/lighthouse.yaml"));
    let files = codegen::documents::files(&model);
    let page = files.iter().find(|file| file.path == "/docs").expect("there is a page");
    let page = String::from_utf8(page.bytes.to_vec()).expect("it is text");
    check(
        "page",
        vec![("lighthouse.html".to_owned(), page.replace("><", ">\n<") + "\n")],
    );
}

#[test]
fn a_whole_is_its_parts() {
    let model = understood(include_str!("expected/lighthouse.yaml"));
    let options = Options {
        file: "api.yaml",
        support: "codegen_support",
    };
    let whole = words(&emit::rust(&model, options));
    for part in emit::parts(&model, options) {
        assert!(whole.contains(&words(&part.text)), "{} is not in the whole", part.name);
    }
}

/// The code without its heading and without line breaks.
fn words(code: &str) -> String {
    let lines = code.lines().skip(1).map(str::trim);
    let text: String = lines.collect();
    text.replace([' ', ',', '{', '}'], "")
}

/// Compares texts with the files of a folder, or writes them there.
#[track_caller]
fn check(folder: &str, texts: Vec<(String, String)>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expected")
        .join(folder);
    let generated: Texts = texts
        .into_iter()
        .map(|(name, text)| (folder.join(name), text))
        .collect();
    let stored = stored(&folder);
    if std::env::var_os("REWRITE").is_some() {
        rewrite(&stored, &generated);
    } else if let Some(difference) = difference(&stored, &generated, &folder) {
        panic!("codegen writes another text than is kept.\n{difference}\nREWRITE=1 takes it as it is now.");
    }
}

fn stored(folder: &Path) -> Texts {
    let Ok(entries) = fs::read_dir(folder) else {
        return Texts::new();
    };
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let texts = paths.flat_map(|path| {
        if path.is_dir() {
            return stored(&path);
        }
        let text = fs::read_to_string(&path).expect("kept texts can be read");
        Texts::from([(path, text)])
    });
    texts.collect()
}

fn rewrite(stored: &Texts, generated: &Texts) {
    for (path, text) in generated.iter().filter(|(path, text)| stored.get(*path) != Some(*text)) {
        let folder = path.parent().expect("texts lie in a folder");
        fs::create_dir_all(folder).expect("the folder can be made");
        fs::write(path, text).expect("texts can be written");
    }
    for path in stored.keys().filter(|path| !generated.contains_key(*path)) {
        fs::remove_file(path).expect("a text that is no more can be removed");
    }
}

/// The first lines of the difference; `None` without a difference.
fn difference(stored: &Texts, generated: &Texts, folder: &Path) -> Option<String> {
    let mut paths: Vec<&PathBuf> = stored.keys().chain(generated.keys()).collect();
    paths.sort();
    paths.dedup();
    let mut differences = String::new();
    for path in paths {
        let [old, new] = [stored, generated].map(|texts| texts.get(path).map_or("", String::as_str));
        let name = path.strip_prefix(folder).expect("it lies there").display().to_string();
        let lines = TextDiff::from_lines(old, new);
        let lines = lines.unified_diff().header(&name, &name).to_string();
        let _ = write!(differences, "{lines}");
    }
    let all = differences.lines().count();
    let first: Vec<&str> = differences.lines().take(SHOWN_LINES).collect();
    let more = all.saturating_sub(SHOWN_LINES);
    let more = if more > 0 {
        format!("\n… and {more} lines more")
    } else {
        String::new()
    };
    (all > 0).then(|| format!("{}{more}", first.join("\n")))
}
