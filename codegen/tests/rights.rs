//! Contracts with missing access checks: each lets a caller name, change or see what belongs to another one, and is
//! reported. Safe contracts are accepted.

const RULES: [&str; 9] = [
    "given-by-service",
    "guard-owner",
    "guard-parent",
    "guard-private",
    "guard-target",
    "unguarded-id",
    "unproven-answer",
    "unproven-id",
    "unused-open",
];

/// A user owns notes and boards. A file belongs to a note, a page to a file, a pin to a board. A book has no owner.
const CONTRACT: &str = r#"
api: { name: notes, title: Notes, statuses: [200], body: { max_bytes: 4096, max_seconds: 10 } }
envelope: { success: { data: $data? }, error: { error: $text } }
decisions: { shared: { gap: "whose notes one sees", choice: "those of all" } }
errors:
  absent: { status: 404, at: exists, text: "no {noun} {id}" }
  foreign: { status: 403, at: owner, text: "{noun} {id} is another's" }
credentials:
  key: { header: X-Key, caller: User, prefix: k_, random_chars: 30 }
  staff: { header: X-Staff, prefix: s_, random_chars: 30 }
types:
  text: { string: { min: 1, max: 99 } }
  notes: { list: { of: Note.id, max: 9 } }
  links: { list: { of: Link, max: 9 } }
objects:
  Link: { note: Note.id }
  Spot: { board: Board.id }
  Citation: { book: Book.id }
  Draft: { user_id: User.id, text: text }
inputs:
  NewLink: { members: { note: Note.id } }
  NewFile: { resource: File, required: [note_id] }
  NewChapter: { resource: Chapter, required: [book_id] }
enums: { Stage: [draft, done] }
states: { Task.stage: { initial: draft, transitions: { draft: [done], done: [] } } }
resources:
  User:
    noun: user
    fields: { id: User.id, name: text }
    joined: { notes: "[Note.item]" }
    views: { item: [id, name], whole: [id, notes] }
  Note:
    noun: note
    owner: { User: user_id }
    fields: { id: Note.id, user_id: User.id, reader_id: User.id, board_id: Board.id?, text: text }
    joined: { files: "[File.item]", similar: "[Note.item]", board: Board.item }
    views: { item: [id, text], whole: [id, files], alike: [id, similar], placed: [id, board] }
  File:
    noun: file
    fields: { id: File.id, note_id: Note.id, text: text }
    joined: { note: Note.item, writer_id: User.id }
    views: { item: [id, text], framed: [id, note] }
  Page:
    noun: page
    fields: { id: Page.id, file_id: File.id, text: text }
    views: { item: [id, text] }
  Board:
    noun: board
    owner: { User: user_id }
    private: true
    fields: { id: Board.id, user_id: User.id }
    views: { item: [id] }
  Pin:
    noun: pin
    fields: { id: Pin.id, at: Spot, text: text }
    views: { item: [id, text] }
  Clip:
    noun: clip
    fields: { id: Clip.id, note_id: Note.id?, book_id: Book.id?, text: text }
  Task:
    noun: task
    owner: { User: user_id }
    fields: { id: Task.id, user_id: User.id, stage: Stage, text: text }
  Chapter:
    noun: chapter
    fields: { id: Chapter.id, book_id: Book.id }
  Verse:
    noun: verse
    fields: { id: Verse.id, chapter_id: Chapter.id }
  Book:
    noun: book
    fields: { id: Book.id, title: text, note_ids: "notes = []" }
    joined: { notes: "[Note.item]" }
    views: { item: [id, title], cited: [id, notes] }
"#;

/// Checks the diagnostics of an operation of users.
#[track_caller]
fn check(operation: &str, expected: &[&str]) {
    check_on("credential: key", operation, expected);
}

/// Checks the diagnostics of an operation of a surface.
#[track_caller]
fn check_on(surface: &str, operation: &str, expected: &[&str]) {
    let contract = format!(
        "{CONTRACT}surfaces:\n  one:\n    base: /v1\n    {surface}\n    endpoints:\n      operation: {{ {operation} }}\n"
    );
    let diagnostics = codegen::compile(&contract).err().unwrap_or_default();
    let lost = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.rule.name().starts_with("unknown-") || diagnostic.rule.name() == "syntax");
    assert_eq!(lost.map(|diagnostic| &diagnostic.message), None, "{operation}");
    let found = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.rule.name())
        .filter(|rule| RULES.contains(rule));
    let found: Vec<&str> = found.collect();
    assert_eq!(found, expected, "{operation}");
}

#[test]
fn an_id_in_a_path_is_the_owners_or_lies_in_what_is() {
    let file = "path: { id: Note.id, file: File.id }, success: {}";
    let delete = |guards: &str| format!("DELETE: /notes/:id/files/:file, guards: [{guards}], {file}");
    check(&delete("exists Note, exists File, owner Note"), &["unproven-id"]);
    check(&delete("exists Note, exists File in Note"), &["unproven-id"; 2]);
    check(&delete("exists Note, exists File in Note, owner Note"), &[]);
    let get = |guards: &str| format!("GET: /notes/:id, guards: [{guards}], path: {{ id: Note.id }}, success: {{}}");
    check(&get("exists Note"), &["unproven-id"]);
    check(&get(""), &["unguarded-id"]);
    check(&get("exists Note, owner Note"), &[]);
    let post = "POST: /notes/:id/files, guards: [exists Note], path: { id: Note.id }, success: {}";
    check(post, &["unproven-id"]);
    let put = "PUT: /notes/:id, path: { id: Note.id }, success: {}";
    check(put, &["unproven-id"]);
}

#[test]
fn a_parent_proves_what_lies_in_it_at_any_depth() {
    let path = "path: { id: Note.id, file: File.id, page: Page.id }, success: {}";
    let delete = |guards: &str| format!("DELETE: /notes/:id/files/:file/pages/:page, guards: [{guards}], {path}");
    let chain = "exists Note, exists File in Note, exists Page in File, owner Note";
    check(&delete(chain), &[]);
    check(
        &delete("exists Note, exists File, exists Page in File, owner Note"),
        &["unproven-id"; 2],
    );
    check(
        &delete("exists Note, exists File in Note, exists Page, owner Note"),
        &["unproven-id"],
    );
    let alone = "DELETE: /pages/:page, path: { page: Page.id }, guards: [exists Page], success: {}";
    check(alone, &["unproven-id"]);
}

#[test]
fn the_owner_of_one_thing_is_not_that_of_another() {
    let two = "path: { id: Note.id, board: Board.id }, success: {}";
    let patch = |guards: &str| format!("POST: /boards/:board/notes/:id, guards: [{guards}], {two}");
    check(&patch("exists Note, exists Board, owner Board"), &["unproven-id"]);
    check(&patch("exists Note, exists Board, owner Note"), &["guard-private"]);
    check(&patch("exists Note, exists Board, owner Note, owner Board"), &[]);
    // Its board may be null, so the pin may belong to no board.
    check(
        &patch("exists Board, exists Note in Board, owner Board"),
        &["guard-parent"],
    );
    check(
        &patch("exists Board in Note, exists Note in Board"),
        &["guard-parent", "guard-parent", "guard-private", "unproven-id"],
    );
    let pin = "DELETE: /pins/:pin, path: { pin: Pin.id }, guards: [exists Pin], success: {}";
    check(pin, &["unproven-id"]);
}

#[test]
fn an_id_in_a_body_is_looked_up_and_the_callers() {
    let post = |guards: &str, members: &str| {
        format!("POST: /things, guards: [{guards}], body: {{ members: {{ {members} }} }}, success: {{}}")
    };
    check(&post("", "note: Note.id"), &["unguarded-id"]);
    check(&post("exists Note", "note: Note.id"), &["unproven-id"]);
    check(&post("exists Note, owner Note", "note: Note.id"), &[]);
    check(&post("", "note: Note.id?"), &["unproven-id"]);
    check(&post("exists Note", "note: Note.id?"), &["unproven-id"]);
    check(&post("exists Note, owner Note", "note: Note.id?"), &[]);
    check(
        &post("exists Note, owner Note", "note: Note.id?, other: Note.id?"),
        &["guard-target"],
    );
    // Without a note, the file could be of any.
    check(
        &post(
            "exists Note, exists File in Note, owner Note",
            "note: Note.id?, file: File.id",
        ),
        &["guard-parent"],
    );
    check(
        &post(
            "exists Note, exists File in Note, owner Note",
            "note: Note.id, file: File.id?",
        ),
        &[],
    );
    check(&post("", "note: \"[Note.id]\""), &["unproven-id"]);
    check(&post("", "all: notes"), &["unproven-id"]);
    check(&post("", "all: links"), &["unproven-id"]);
    check(
        &post("exists Note, owner Note", "note: Note.id, others: notes"),
        &["unproven-id"],
    );
    check(&post("", "book: Book.id"), &["unguarded-id"]);
    check(&post("", "book: Book.id?, user: User.id?"), &[]);
    check("POST: /things, body: NewLink, success: {}", &["unguarded-id"]);
    let moved = "PATCH: /files/:id, path: { id: File.id }, guards: [exists File], open: shared, success: {}";
    check(moved, &[]);
    let own = "PATCH: /notes/:id, path: { id: Note.id }, guards: [exists Note, owner Note]";
    check(
        &format!("{own}, body: {{ resource: Note, at_least_one_of: [board_id] }}, success: {{}}"),
        &["unproven-id"],
    );
}

/// When a guard can look an id up.
#[derive(Clone, Copy, PartialEq)]
enum Guardable {
    Always,
    IfGiven,
    Never,
}

/// Where an id can be, for an owned resource and for one without an owner; and whether a guard can look it up.
const FORMS: [(&str, &str, Guardable); 10] = [
    (
        "GET: /x/:id, path: { id: Note.id }",
        "GET: /x/:id, path: { id: Book.id }",
        Guardable::Always,
    ),
    (
        "GET: /x, query: { id: Note.id }",
        "GET: /x, query: { id: Book.id }",
        Guardable::Never,
    ),
    (
        "POST: /x, body: { members: { id: Note.id } }",
        "POST: /x, body: { members: { id: Book.id } }",
        Guardable::Always,
    ),
    (
        "POST: /x, body: { resource: File, required: [note_id, text] }",
        "POST: /x, body: { resource: Chapter, required: [book_id] }",
        Guardable::Always,
    ),
    (
        "POST: /x, body: NewFile",
        "POST: /x, body: NewChapter",
        Guardable::Always,
    ),
    (
        "POST: /x, body: { resource: Clip, required: [text], optional: [note_id] }",
        "POST: /x, body: { resource: Clip, required: [text], optional: [book_id] }",
        Guardable::IfGiven,
    ),
    (
        "PATCH: /x, body: { resource: Clip, at_least_one_of: [note_id] }",
        "PATCH: /x, body: { resource: Clip, at_least_one_of: [book_id] }",
        Guardable::IfGiven,
    ),
    (
        "POST: /x, body: { members: { id: Note.id? } }",
        "POST: /x, body: { members: { id: Book.id? } }",
        Guardable::IfGiven,
    ),
    (
        "POST: /x, body: { members: { ids: \"[Note.id]\" } }",
        "POST: /x, body: { members: { ids: \"[Book.id]\" } }",
        Guardable::Never,
    ),
    (
        "POST: /x, body: { members: { link: Link } }",
        "POST: /x, body: { members: { cited: Citation } }",
        Guardable::Never,
    ),
];

#[test]
fn an_id_is_checked_wherever_it_is() {
    for (owned, unowned, guardable) in FORMS {
        let with = |form: &str, guards: &str| format!("{form}, guards: [{guards}], success: {{}}");
        let expected = |found: &'static [&'static str], others: &'static [&'static str]| {
            if guardable == Guardable::Never { others } else { found }
        };
        let (alone, unowned_alone): (&[_], &[_]) = match guardable {
            Guardable::Always => (&["unguarded-id"], &["unguarded-id"]),
            Guardable::IfGiven | Guardable::Never => (&["unproven-id"], &[]),
        };
        check(&with(owned, ""), alone);
        let unfound = &["guard-target", "unproven-id"];
        check(&with(owned, "exists Note"), expected(&["unproven-id"], unfound));
        check(&with(owned, "exists Note, owner Note"), expected(&[], unfound));
        check(&with(unowned, ""), unowned_alone);
        check(&with(unowned, "exists Book"), expected(&[], &["guard-target"]));
    }
}

#[test]
fn the_id_of_a_new_record_is_not_looked_up() {
    let put = "PUT: /notes, body: { resource: Note, required: [id, text] }, success: {}";
    check(put, &["given-by-service"]);
    let answer = "POST: /comments, body: { resource: Verse, required: [chapter_id] }, guards: [exists Chapter]";
    check(&format!("{answer}, success: {{}}"), &[]);
}

#[test]
fn what_the_service_sets_comes_by_no_member() {
    let effects = [
        "POST: /tasks, makes: Task",
        "PATCH: /tasks/:id, path: { id: Task.id }, guards: [exists Task, owner Task], changes: Task",
    ];
    for effect in effects {
        let with = |body: &str| format!("{effect}, body: {{ {body} }}, success: {{}}");
        check(&with("members: { text: text }"), &[]);
        check(&with("members: { text: text, stage: Stage }"), &["given-by-service"]);
        let of_record = "resource: Task, required: [text], members: { stage: Stage }";
        check(&with(of_record), &["given-by-service"]);
        check(
            &with("members: { text: text, user_id: User.id? }"),
            &["given-by-service"],
        );
    }
    let made = |made: &str| {
        format!(
            "POST: /tasks, body: {{ members: {{ whose: User.id?, drafts: \"[Draft]\" }} }}, makes: {{ Task: {made} }}, success: {{}}"
        )
    };
    check(&made("{ user_id: $caller }"), &[]);
    check(&made("{ user_id: $whose }"), &["given-by-service"]);
    check(&made("each drafts"), &["given-by-service"]);
    let end = "PATCH: /tasks/:id, path: { id: Task.id }, body: { members: { stage: Stage } }, guards: [exists Task, owner Task], transitions: Task.stage";
    check(&format!("{end}, success: {{}}"), &[]);
    check(&format!("{end}, changes: Task, success: {{}}"), &[]);
}

#[test]
fn an_id_in_a_query_proves_nothing() {
    check("GET: /export, query: { note: Note.id }, success: {}", &["unproven-id"]);
    let files = "query: { note: Note.id }, filters: [note = note_id], success: { data: \"[File.item]\" }";
    check(&format!("GET: /files, {files}"), &["unproven-answer"]);
    let cited = "query: { note: Note.id? }, filters: [note = note_ids], success: { data: \"[Book.item]\" }";
    check(&format!("GET: /books, {cited}"), &["unproven-id"]);
    let own = "query: { note: Note.id? }, filters: [$caller = writer_id, note = note_id]";
    check(
        &format!("GET: /files, {own}, success: {{ data: \"[File.item]\" }}"),
        &[],
    );
}

#[test]
fn a_list_shows_the_callers_own_or_what_lies_in_it() {
    let list =
        |filters: &str, view: &str| format!("GET: /all, filters: [{filters}], success: {{ data: \"[{view}]\" }}");
    check(&list("", "Note.item"), &["unproven-answer"]);
    check(&list("$caller = user_id", "Note.item"), &[]);
    check(&list("$caller = reader_id", "Note.item"), &["unproven-answer"]);
    check(&list("", "File.item"), &["unproven-answer"]);
    check(&list("$caller = writer_id", "File.item"), &[]);
    check(&list("", "Book.item"), &[]);
    let of_note = |guards: &str, filters: &str| {
        format!(
            "GET: /notes/:id/files, path: {{ id: Note.id }}, guards: [{guards}], filters: [{filters}], success: {{ data: \
             \"[File.item]\" }}"
        )
    };
    check(&of_note("exists Note, owner Note", "id = note_id"), &[]);
    check(&of_note("exists Note", "id = note_id"), &["unproven-id"]);
    check(&of_note("exists Note, owner Note", ""), &["unproven-answer"]);
    let of_user = "GET: /users/:id/notes, path: { id: User.id }, guards: [exists User], filters: [id = user_id]";
    check(
        &format!("{of_user}, success: {{ data: \"[Note.item]\" }}"),
        &["unproven-answer"],
    );
    check(
        "POST: /search, success: { data: \"[Note.item]\" }",
        &["unproven-answer"],
    );
}

#[test]
fn answers_show_only_what_was_proven() {
    let get = |view: &str| {
        format!(
            "GET: /notes/:id, path: {{ id: Note.id }}, guards: [exists Note, owner Note], success: {{ data: {view} }}"
        )
    };
    check(&get("Note.item"), &[]);
    check(&get("File.item"), &["unproven-answer"]);
    check(&get("Board.item"), &["unproven-answer"]);
    check("GET: /latest, success: { data: Note.item }", &["unproven-answer"]);
    check("POST: /notes, success: { data: Note.item }", &[]);
    check("GET: /me, success: { data: User.item }", &[]);
}

#[test]
fn items_within_a_view_belong_to_what_is_proven() {
    let get = |view: &str| {
        format!(
            "GET: /notes/:id, path: {{ id: Note.id }}, guards: [exists Note, owner Note], success: {{ data: {view} }}"
        )
    };
    check(&get("Note.whole"), &[]);
    check(&get("Note.alike"), &["unproven-answer"]);
    check(&get("Note.placed"), &["unproven-answer"]);
    check("GET: /books, success: { data: \"[Book.cited]\" }", &["unproven-answer"]);
    check("GET: /me, success: { data: User.whole }", &[]);
    let other = "GET: /users/:id, path: { id: User.id }, guards: [exists User], success: { data: User.whole }";
    check(other, &["unproven-answer"]);
    let files =
        "GET: /notes/:id/files, path: { id: Note.id }, filters: [id = note_id], success: { data: \"[File.framed]\" }";
    check(&format!("{files}, guards: [exists Note, owner Note]"), &[]);
    let operation = "GET: /files, filters: [$caller = writer_id], success: { data: \"[File.framed]\" }";
    check(operation, &["unproven-answer"]);
}

#[test]
fn an_unowned_resource_lies_under_the_parent_in_its_path() {
    let path = "path: { id: Book.id, chapter: Chapter.id }, success: {}";
    let get = |guards: &str| format!("GET: /books/:id/chapters/:chapter, guards: [{guards}], {path}");
    check(&get("exists Book, exists Chapter"), &["unproven-id"]);
    check(&get("exists Book, exists Chapter in Book"), &[]);
    let moved = format!("PUT: /chapters/:chapter/book/:id, guards: [exists Book, exists Chapter], {path}");
    check(&moved, &[]);
    let deep = "exists Book, exists Chapter, exists Verse in Chapter";
    let path = "path: { id: Book.id, chapter: Chapter.id, verse: Verse.id }, success: {}";
    check(
        &format!("GET: /books/:id/chapters/:chapter/:verse, guards: [{deep}], {path}"),
        &["unproven-id"],
    );
}

/// No rule can see what the contract does not state: README.md names these cases.
#[test]
fn what_handlers_do_beyond_the_contract_is_not_found() {
    let own = "path: { id: Note.id }, guards: [exists Note, owner Note]";
    check(
        &format!("POST: /notes/:id/copy, {own}, success: {{ data: File.item }}"),
        &[],
    );
    check("GET: /export, query: { note: text }, success: {}", &[]);
    check("GET: /latest, success: { data: { words: text } }", &[]);
    check("DELETE: /notes, success: {}", &[]);
    // A book has no declared owner.
    check(
        "DELETE: /books/:id, path: { id: Book.id }, guards: [exists Book], success: {}",
        &[],
    );
}

#[test]
fn one_caller_does_nothing_for_another() {
    let user = |line: &str| format!("{line}, path: {{ id: User.id }}, guards: [exists User], success: {{}}");
    check(&user("PATCH: /users/:id"), &["unproven-id"]);
    check(&user("POST: /users/:id/notes"), &["unproven-id"]);
    check(&user("GET: /users/:id"), &[]);
    let operation = "body: { members: { user_id: User.id, text: text } }, guards: [exists User], success: { data: { id: Note.id } }";
    check(&format!("POST: /notes, {operation}"), &["given-by-service"]);
}

#[test]
fn an_unauthenticated_caller_proves_nothing_and_an_operator_needs_no_proof() {
    let get = "GET: /notes/:id, path: { id: Note.id }, guards: [exists Note], success: { data: Note.item }";
    let list = "GET: /notes, success: { data: \"[Note.item]\" }";
    check_on("doc: For all.", get, &["unproven-id"]);
    check_on("doc: For all.", list, &["unproven-answer"]);
    check_on("credential: staff", get, &[]);
    check_on("credential: staff", list, &[]);
    check_on("credential: staff", &format!("open: shared, {list}"), &["unused-open"]);
}

#[test]
fn a_decision_opens_what_is_closed_and_nothing_else() {
    let list = "GET: /notes, success: { data: \"[Note.item]\" }";
    check(&format!("open: shared, {list}"), &[]);
    check(
        "open: shared, GET: /books, success: { data: \"[Book.item]\" }",
        &["unused-open"],
    );
    let private = "GET: /boards/:id, path: { id: Board.id }, guards: [exists Board], success: {}";
    check(&format!("open: shared, {private}"), &["guard-private", "unused-open"]);
}
