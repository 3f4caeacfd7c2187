//! A page for people, and the files that it loads: a folder of modules, styles and pictures, which a browser takes as they are.
//!
//! The page is served at its base, such as `/jobs/`, and its service worker at `/jobs/sw.js`. All other files are served below a
//! folder whose name is a digest of all of them, so that browsers may keep them for ever and never mix two versions. In the page
//! and the service worker `{version}` is that name, `{files}` a list of the files in JSON, and `{modules}` links that load all modules
//! at once. What stands between `<!-- console -->` and `<!-- /console -->` is for servers that have the console at the same address.
//!
//! Every page can import the kit: `../shared/ui.js`, the libraries and components that all pages are made of.

pub(super) mod console;
mod kit;

use super::file::{File, FileKind, When};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// What a page may do: load and call its own server. Scripts may register a service worker, and may not make elements from texts.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
     connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types sw";

const PAGE: &str = "index.html";
const WORKER: &str = "sw.js";

/// A file of a site.
#[derive(Clone, Debug)]
struct Source {
    /// Its path in the site, such as `jobs/app.js`.
    path: String,
    bytes: Cow<'static, [u8]>,
}

/// The files that a server serves for the site in `folder`, which has the name of the folder, with the kit. `facts` is its module
/// `contract.js`; none if it is empty.
///
/// # Errors
/// If a file cannot be read, or has no known type.
pub fn in_folder(folder: &Path, facts: String) -> io::Result<Vec<File>> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        sources.push(Source {
            path: format!("{name}/{file}"),
            bytes: fs::read(&path)?.into(),
        });
    }
    if !facts.is_empty() {
        sources.push(Source {
            path: format!("{name}/contract.js"),
            bytes: facts.into_bytes().into(),
        });
    }
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    files_of(&name, sources).map_err(io::Error::other)
}

/// The files of the site `name`, with the kit.
fn files_of(name: &str, sources: Vec<Source>) -> Result<Vec<File>, String> {
    let mut all = sources;
    all.extend(kit::files().map(|(path, bytes)| Source {
        path: format!("shared/{path}"),
        bytes: bytes.into(),
    }));
    let all: Vec<Source> = all.into_iter().map(without_comments).collect();
    let version = version(&all);
    let top = |file: &str| format!("{name}/{file}");
    let (at_top, parts): (Vec<Source>, Vec<Source>) = all
        .into_iter()
        .partition(|source| source.path == top(PAGE) || source.path == top(WORKER));
    let list: Vec<String> = parts
        .iter()
        .map(|part| format!("\"{version}/{}\"", part.path))
        .collect();
    let list = format!("[{}]", list.join(", "));
    let modules: Vec<String> = parts
        .iter()
        .filter(|part| part.path.ends_with(".js"))
        .map(|part| format!("<link rel=\"modulepreload\" href=\"{version}/{}\">", part.path))
        .collect();
    let mut files = Vec::new();
    for source in at_top {
        let text = String::from_utf8_lossy(&source.bytes);
        let text = text
            .replace("{version}", &version)
            .replace("{files}", &list)
            .replace("{modules}", &modules.join("\n"));
        let path = match source.path == top(PAGE) {
            true => format!("/{name}/"),
            false => format!("/{}", source.path),
        };
        for (when, text) in variants(text) {
            let kind = FileKind::Page {
                policy: POLICY.to_owned(),
            };
            let file = File::new(&path, media_type(&source.path)?, kind, text.into_bytes());
            files.push(file.served(when));
        }
    }
    for part in parts {
        let path = format!("/{name}/{version}/{}", part.path);
        files.push(File::new(path, media_type(&part.path)?, FileKind::Part, part.bytes));
    }
    Ok(files)
}

/// The page as it is where the console is, and as it is elsewhere, if it differs.
fn variants(text: String) -> Vec<(When, String)> {
    let cut = text.split_once("<!-- console -->\n").and_then(|(before, rest)| {
        let (part, after) = rest.split_once("<!-- /console -->\n")?;
        Some((format!("{before}{part}{after}"), format!("{before}{after}")))
    });
    match cut {
        Some((with, without)) => vec![(When::WithConsole, with), (When::WithoutConsole, without)],
        None => vec![(When::Always, text)],
    }
}

/// A script without the lines that are only a comment, which are some 7% of what a browser loads. The comments with the licences
/// of libraries have another form, and stay.
fn without_comments(mut source: Source) -> Source {
    if source.path.ends_with(".js") {
        let text = String::from_utf8_lossy(&source.bytes);
        let lines = text
            .split_inclusive('\n')
            .filter(|line| !line.trim_start().starts_with("//"));
        source.bytes = lines.collect::<String>().into_bytes().into();
    }
    source
}

/// The first 16 digits of a digest of all files.
fn version(sources: &[Source]) -> String {
    let mut hasher = Sha256::new();
    for source in sources {
        hasher.update((source.path.len() as u64).to_be_bytes());
        hasher.update(&source.path);
        hasher.update((source.bytes.len() as u64).to_be_bytes());
        hasher.update(&source.bytes);
    }
    hasher.finalize().iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn media_type(path: &str) -> Result<&'static str, String> {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    Ok(match extension {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => return Err(format!("`{path}` has an extension whose media type is not known")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_served_without_lines_of_comments() {
        let script = source("jobs/app.js", "// a\n  // b\nlet c = 1; // d\n/*! e */\n");
        assert_eq!(&*without_comments(script).bytes, b"let c = 1; // d\n/*! e */\n");
        let style = source("jobs/app.css", "// f\n");
        assert_eq!(&*without_comments(style).bytes, b"// f\n");
    }

    fn source(path: &str, text: &'static str) -> Source {
        Source {
            path: path.to_owned(),
            bytes: text.as_bytes().into(),
        }
    }

    #[test]
    fn a_page_names_the_version_of_its_files() {
        let sources = vec![
            source("jobs/index.html", "<script src=\"{version}/jobs/app.js\">"),
            source("jobs/app.js", "import '../shared/ui.js'"),
            source("jobs/sw.js", "{files} {modules}"),
        ];
        let files = files_of("jobs", sources).expect("known types");
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths[..2], ["/jobs/", "/jobs/sw.js"]);
        let app = paths
            .iter()
            .find(|path| path.ends_with("/jobs/app.js"))
            .expect("it is there");
        let version = app
            .strip_prefix("/jobs/")
            .and_then(|rest| rest.strip_suffix("/jobs/app.js"));
        let version = version.expect("a folder");
        let page = String::from_utf8_lossy(&files[0].bytes);
        assert_eq!(page, format!("<script src=\"{version}/jobs/app.js\">"));
        let worker = String::from_utf8_lossy(&files[1].bytes);
        assert!(worker.contains(&format!("\"{version}/shared/ui.js\"")), "{worker}");
        assert!(
            worker.contains(&format!("modulepreload\" href=\"{version}/jobs/app.js\"")),
            "{worker}"
        );
        assert_eq!(
            files[0].kind,
            FileKind::Page {
                policy: POLICY.to_owned()
            }
        );
    }

    #[test]
    fn a_page_leads_to_the_console_only_where_that_is() {
        let page = source("start/index.html", "a\n<!-- console -->\nb\n<!-- /console -->\nc\n");
        let files = files_of("start", vec![page]).expect("known types");
        let pages = files.iter().filter(|file| file.path == "/start/");
        let pages: Vec<_> = pages
            .map(|page| (page.when, String::from_utf8_lossy(&page.bytes)))
            .collect();
        let (with, without) = ("a\nb\nc\n".into(), "a\nc\n".into());
        assert_eq!(pages, [(When::WithConsole, with), (When::WithoutConsole, without)]);
    }

    #[test]
    fn another_content_has_another_version() {
        let of = |text| version(&[source("a/b.js", text)]);
        assert_ne!(of("1"), of("2"));
        assert_eq!(of("1"), of("1"));
    }

    #[test]
    fn an_unknown_type_is_rejected() {
        assert!(files_of("a", vec![source("a/b.wasm", "")]).is_err());
    }
}
