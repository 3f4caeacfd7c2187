//! Compresses the files that a server serves beside its surfaces, and writes a Rust table of them.
//!
//! The name of a compressed file is its tag, a hash of the content. A build script that runs again compresses only
//! changed files.

use crate::documents::{File, FileKind, Parameter};
use crate::parallel;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::Path;

/// The folder of the compressed files, beside the table.
const FOLDER: &str = "documents";

/// Writes the compressed files into `folder`, and returns the table, a static such as `pub static DOCUMENTS`. `display_path` is the name of the contract,
/// and `support` the path of the support library.
pub(super) fn write(
    files: &[File],
    (display_path, support, declared): (&str, &str, &str),
    folder: &Path,
) -> Result<String, Vec<String>> {
    let own = folder.join(FOLDER);
    let failed = |error: io::Error| format!("cannot write the documents into {}: {error}", own.display());
    fs::create_dir_all(&own).map_err(|error| vec![failed(error)])?;
    let numbered: Vec<(usize, &File)> = files.iter().enumerate().collect();
    let rows = parallel::map(&numbered, |(number, file)| {
        row(file, (*number, support), &own).map_err(failed)
    });
    let mut table = format!(
        "// Generated from {display_path} by codegen; edit that file, not this one.\n\n\
         /// All that is served beside the surfaces.\n\
         {declared}: &[{support}::documents::Document] = &[\n"
    );
    let (mut names, mut failures) = (Vec::new(), Vec::new());
    for row in rows {
        match row {
            Ok((name, row)) => {
                names.push(name);
                table.push_str(&row);
            }
            Err(failure) => failures.push(failure),
        }
    }
    table.push_str("];\n");
    match failures.is_empty() {
        true => forget_others(&own, &names)
            .map(|()| table)
            .map_err(|error| vec![failed(error)]),
        false => Err(failures),
    }
}

/// Compresses a file and returns the name of the compressed file and the entry of the table. Equal files may be
/// compressed at the same time; `number` separates their unfinished files.
fn row(file: &File, (number, support): (usize, &str), folder: &Path) -> io::Result<(String, String)> {
    let tag = tag(&file.bytes);
    let name = format!("{tag}.gz");
    let unfinished = folder.join(format!("{number}.part"));
    let compressed = compressed(&file.bytes, &folder.join(&name), &unfinished)?;
    let query: Vec<String> = file.query.iter().map(|one| parameter(one, support)).collect();
    let row = format!(
        r#"    {support}::documents::Document {{
        path: {path:?},
        query: &[{query}],
        media_type: {media_type:?},
        kind: {support}::documents::Kind::{kind},
        when: {support}::documents::When::{when:?},
        relation: {relation:?},
        etag: "\"{tag}\"",
        gzip_etag: "\"{gzip_tag}\"",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/{FOLDER}/{name}")),
    }},
"#,
        path = file.path,
        query = query.join(", "),
        media_type = file.media_type,
        kind = kind(&file.kind),
        when = file.when,
        relation = file.relation,
        gzip_tag = self::tag(&compressed),
    );
    Ok((name, row))
}

fn parameter(parameter: &Parameter, support: &str) -> String {
    let Parameter {
        name,
        value,
        is_default,
    } = parameter;
    let value = value.as_deref();
    format!("{support}::documents::Parameter {{ name: {name:?}, value: {value:?}, is_default: {is_default} }}")
}

fn kind(kind: &FileKind) -> String {
    match kind {
        FileKind::Document => "Document".to_owned(),
        FileKind::Text => "Text".to_owned(),
        FileKind::Page { policy } => format!("Page {{ policy: {policy:?} }}"),
        FileKind::Part => "Part".to_owned(),
    }
}

/// A name for these bytes: a 128-bit hash from std. (Another version of Rust may give another name, which costs clients
/// one transfer.)
fn tag(bytes: &[u8]) -> String {
    let part = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, bytes).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", part(0), part(1))
}

/// The compressed bytes, read from `place` or compressed and written there. They are written to `unfinished` first, so
/// that `place` never has a partial file.
fn compressed(bytes: &[u8], place: &Path, unfinished: &Path) -> io::Result<Vec<u8>> {
    if let Ok(compressed) = fs::read(place) {
        return Ok(compressed);
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    let compressed = encoder.finish()?;
    fs::write(unfinished, &compressed)?;
    fs::rename(unfinished, place)?;
    Ok(compressed)
}

/// Removes the compressed files of former contracts.
fn forget_others(folder: &Path, names: &[String]) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_used = names.iter().any(|name| entry.file_name() == name.as_str());
        if !is_used {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn file(path: &str, text: &'static str) -> File {
        File::new(path, "text/plain", FileKind::Document, text.as_bytes())
    }

    fn names(folder: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(folder.join(FOLDER)).expect("it is there");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        entries
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn what_lies_beside_the_table_is_what_it_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let files: Vec<File> = (0..40).map(|number| file(&format!("/{number}"), "alike")).collect();
        let table =
            write(&files, ("api.yaml", "codegen_support", "static A"), folder.path()).expect("it can be written");
        assert_eq!(table.matches("include_bytes!").count(), 40);
        let alike = names(folder.path());
        assert_eq!(alike.len(), 1, "{alike:?}");

        let files = [file("/0", "alike"), file("/1", "other")];
        let table =
            write(&files, ("api.yaml", "codegen_support", "static A"), folder.path()).expect("it can be written");
        let both = names(folder.path());
        assert!(both.len() == 2 && both.is_superset(&alike), "{both:?}");
        assert!(both.iter().all(|name| table.contains(name.as_str())));

        write(&files[1..], ("api.yaml", "codegen_support", "static A"), folder.path()).expect("it can be written");
        assert!(names(folder.path()).is_disjoint(&alike), "what is not named is gone");
    }
}
