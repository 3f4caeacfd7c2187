//! The HTML page of a contract: it is complete, and all text of a contract stays text. (Its look and behaviour in a
//! browser is checked by `tests/external/browser`.)

use crate::language::{models, understood};
use codegen::Model;
use codegen::documents::{File, files};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::LazyLock;

fn page(files: &[File]) -> String {
    let page = files.iter().find(|file| file.path == "/docs").expect("there is a page");
    String::from_utf8(page.bytes.to_vec()).expect("it is text")
}

/// Every contract with its page.
fn pages() -> &'static [(&'static str, &'static Model, String)] {
    static PAGES: LazyLock<Vec<(&str, &Model, String)>> = LazyLock::new(|| {
        let pages = models().zip(crate::files::all());
        pages
            .map(|((name, model), (_, files))| (name, model, page(files)))
            .collect()
    });
    &PAGES
}

/// The values of an attribute, in order.
fn values<'p>(page: &'p str, attribute: &str) -> Vec<&'p str> {
    let begin = format!(" {attribute}=\"");
    let values = page.split(begin.as_str()).skip(1);
    values.map(|rest| rest.split('"').next().unwrap_or_default()).collect()
}

/// The names of the tags, in order.
fn tags(page: &str) -> Vec<&str> {
    let tags = page.split('<').skip(1);
    tags.map(|rest| rest.split([' ', '>']).next().unwrap_or_default())
        .collect()
}

/// The ids with this prefix, without the prefix.
fn ids<'p>(page: &'p str, kind: &str) -> Vec<&'p str> {
    let ids = values(page, "id").into_iter();
    ids.filter_map(|id| id.strip_prefix(kind)).collect()
}

#[test]
fn every_entry_of_a_contract_is_on_its_page_in_order() {
    for (name, model, page) in pages() {
        #[track_caller]
        fn check<'m>(name: &str, page: &str, kind: &str, names: impl Iterator<Item = &'m String>) {
            assert_eq!(ids(page, kind), names.collect::<Vec<_>>(), "{name}: {kind}");
        }
        check(name, page, "error-", model.errors.iter().map(|error| &error.name));
        check(name, page, "limit-", model.limits.iter().map(|limit| &limit.name));
        check(name, page, "quota-", model.quotas.iter().map(|quota| &quota.name));
        check(
            name,
            page,
            "decision-",
            model.decisions.iter().map(|(name, _)| &name.text),
        );
        check(
            name,
            page,
            "surface-",
            model.surfaces.iter().map(|surface| &surface.name),
        );
        let operations = model.surfaces.iter().flat_map(|surface| {
            let ids = surface.operations.iter();
            ids.map(move |one| format!("{}_{}", surface.name, one.name))
        });
        check(name, page, "operation-", operations.collect::<Vec<_>>().iter());
        let with_states = model.enums.iter().filter_map(|one| one.states.as_ref());
        let of = with_states.map(|states| format!("{}-{}", states.of.0, states.of.1));
        let mut tables = ids(page, "states-");
        tables.retain(|id| *id != "title");
        assert_eq!(tables, of.collect::<Vec<_>>(), "{name}: states");
    }
}

#[test]
fn an_error_has_its_text_and_its_help() {
    let (_, model, page) = &pages()[1];
    let error = model
        .errors
        .iter()
        .find(|error| error.help.is_some())
        .expect("one has help");
    let section = page.split(&format!("id=\"error-{}\"", error.name)).nth(1);
    let section = section.and_then(|rest| rest.split("</tr>").next()).expect("its row");
    let help = error.help.as_deref().unwrap_or_default().replace('`', "");
    let plain = section.replace("<code>", "").replace("</code>", "");
    assert!(
        plain.contains(&help) && section.contains(&error.status.to_string()),
        "{section}"
    );
}

/// The page has the same tags for any text in the contract.
#[test]
fn what_a_contract_says_is_text_and_never_a_tag() {
    const HOSTILE: &str = r#"</p><script>alert("x")</script>&amp;<img src=x onerror='alert(1)'>"#;
    let contract = include_str!("expected/lighthouse.yaml");
    let changed: Vec<String> = contract.lines().map(|line| hostile(line, HOSTILE)).collect();
    let changed = understood(&changed.join("\n"));
    assert!(changed.title.contains("<script>"), "the contract is edited wrongly");
    let (plain, hostile) = (page(&files(&understood(contract))), page(&files(&changed)));
    assert_eq!(tags(&hostile), tags(&plain));
    assert!(hostile.matches("&lt;script&gt;alert(").count() > 10, "{hostile}");
    assert!(hostile.contains("<title>Lighthouse log&lt;/p&gt;"), "{hostile}");
}

/// A line of a contract whose texts end with these words.
fn hostile(line: &str, words: &str) -> String {
    let words = words.replace('"', "\\\"");
    let key = line.trim_start().split(':').next().unwrap_or_default();
    if let Some((before, after)) = line.split_once("text: \"") {
        return format!("{before}text: \"{words}{after}");
    }
    match line.split_once(": ") {
        Some((before, text)) if ["title", "doc"].contains(&key) && !text.contains(['"', '{']) => {
            format!("{before}: \"{text}{words}\"")
        }
        _ => line.to_owned(),
    }
}

#[test]
fn what_the_page_leads_to_and_loads_is_there() {
    for (name, files) in crate::files::all() {
        let page = page(files);
        let ids = values(&page, "id");
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{name}: an id stands twice");
        let targets = ["href", "src", "data-document"].map(|attribute| values(&page, attribute));
        for target in targets.concat() {
            let is_outside = ["data:", "https://", "http://", "mailto:"]
                .iter()
                .any(|scheme| target.starts_with(scheme));
            let is_there = match target.strip_prefix('#') {
                Some(id) => distinct.contains(&id),
                None => files.iter().any(|file| file.path == format!("/{target}")),
            };
            assert!(is_there || is_outside, "{name}: {target} leads nowhere");
        }
        for loaded in values(&page, "src") {
            assert!(loaded.starts_with("docs/"), "{name}: {loaded} is loaded from elsewhere");
        }
    }
}

/// The content security policy would block them.
#[test]
fn no_script_and_no_style_stands_in_the_page() {
    for (name, _, page) in pages() {
        assert!(!page.contains("<style") && !page.contains(" style="), "{name}");
        let unquoted: String = page.split('"').step_by(2).collect();
        let tags = unquoted.split('<').filter_map(|rest| rest.split('>').next());
        let handlers: Vec<&str> = tags.filter(|tag| tag.contains(" on")).collect();
        assert!(handlers.is_empty(), "{name}: {handlers:?}");
        assert_eq!(
            page.matches("<script").count(),
            page.matches("<script src=\"docs/").count(),
            "{name}"
        );
    }
}

#[test]
fn headings_skip_no_level() {
    for (name, _, page) in pages() {
        let levels = tags(page)
            .into_iter()
            .filter_map(|tag| tag.strip_prefix('h')?.parse::<u32>().ok());
        let levels: Vec<u32> = levels.collect();
        assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1, "{name}");
        assert!(
            levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
            "{name}: {levels:?}"
        );
    }
}

const VIEWER: &str = include_str!("../src/documents/page/viewer/README.md");

#[test]
fn the_viewer_is_the_one_that_its_readme_names() {
    let (_, served) = &crate::files::all()[3];
    let version = VIEWER
        .split("| version | ")
        .nth(1)
        .and_then(|rest| rest.split(',').next());
    let version = version.expect("the version is named");
    let of = |ending: &str| {
        let path = format!("/docs/viewer-{version}.{ending}");
        let file = served.iter().find(|file| file.path == path);
        file.unwrap_or_else(|| panic!("{path} is not served: src/documents/page/viewer.rs has another version"))
    };
    for (name, file) in [("swagger-ui-bundle.js", of("js")), ("swagger-ui.css", of("css"))] {
        let sum = Sha256::digest(&file.bytes);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(
            VIEWER.contains(&format!("| `{name}` | `{sum}` |")),
            "viewer/README.md names another sum than {sum} for {name}"
        );
    }
}
