//! The files that a server serves beside its APIs: each can be found, and its content matches its type.

use crate::language::{MODELS, models};
use codegen::documents::openapi::{Version, document};
use codegen::documents::{File, FileKind, files};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The files of every contract, with the contract's name.
static ALL: LazyLock<Vec<(&str, Vec<File>)>> =
    LazyLock::new(|| models().map(|(name, model)| (name, files(model))).collect());

pub(crate) fn all() -> &'static [(&'static str, Vec<File>)] {
    &ALL
}

#[test]
fn each_file_is_found_in_one_way_and_each_path_without_a_query() {
    for (name, files) in all() {
        let found: BTreeSet<_> = files.iter().map(File::target).collect();
        assert_eq!(found.len(), files.len(), "{name}: {found:#?}");
        for file in files {
            let path = &file.path;
            assert!(path.starts_with('/') && !path.contains(['?', '%']), "{path}");
            // The files of a page may be below its path.
            let is_page = matches!(file.kind, FileKind::Page { .. });
            assert!(is_page || !path.ends_with('/'), "{path}");
            assert!(found.contains(path), "{name}: {path} needs a query");
            assert!(!file.bytes.is_empty(), "{name}: {path}");
        }
    }
}

#[test]
fn the_variants_of_a_path_have_the_same_parameters_and_media_type() {
    for (name, files) in all() {
        for file in files {
            let names = |file: &File| file.query.iter().map(|one| one.name).collect::<Vec<_>>();
            let alike = files.iter().filter(|other| other.path == file.path);
            for other in alike {
                assert_eq!(names(other), names(file), "{name}: {}", file.path);
                assert_eq!(other.media_type, file.media_type, "{name}: {}", file.path);
            }
        }
    }
}

#[test]
fn what_is_linked_to_is_found_without_a_query_and_is_no_part_of_a_page() {
    for (name, files) in all() {
        let linked: Vec<_> = files.iter().filter(|file| file.relation.is_some()).collect();
        assert!(!linked.is_empty(), "{name}");
        for file in linked {
            assert!(
                file.is_default() && file.kind != FileKind::Part,
                "{name}: {}",
                file.path
            );
        }
    }
}

#[test]
fn openapi_is_found_in_each_version_of_all_surfaces_and_of_each() {
    for ((name, files), model) in all().iter().zip(&*MODELS) {
        let surfaces = model.surfaces.iter().map(|surface| Some(surface.name.as_str()));
        for surface in surfaces.chain([None]) {
            for (version, asked) in [(Version::V3_1, ""), (Version::V3_0, "version=3.0")] {
                let of = surface.map(|name| format!("surface={name}")).unwrap_or_default();
                let asked = [asked, &of].into_iter().filter(|part| !part.is_empty());
                let asked = asked.collect::<Vec<_>>().join("&");
                let mark = if asked.is_empty() { "" } else { "?" };
                let asked = format!("/openapi.json{mark}{asked}");
                let file = files.iter().find(|file| file.target() == asked);
                let file = file.unwrap_or_else(|| panic!("{name}: {asked}"));
                let expected = document(model, version, surface).expect("a surface");
                assert_eq!(file.bytes, expected.compact().as_bytes(), "{name}: {asked}");
            }
        }
    }
}
