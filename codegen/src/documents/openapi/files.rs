//! The documents that a server serves: in each version, for all surfaces and for each.

use super::{Version, document};
use crate::documents::file::{File, FileKind, OPENAPI, Parameter};
use crate::model::Model;
use crate::parallel;

/// `/openapi.json`, with `?version=3.1` (the default) or `3.0`, and `?surface=NAME` for a single surface.
pub(crate) fn files(model: &Model) -> Vec<File> {
    let names = model.surfaces.iter().map(|surface| Some(surface.name.as_str()));
    // The largest first, so that no thread starts it last.
    let surfaces: Vec<Option<&str>> = std::iter::once(None).chain(names).collect();
    let variants: Vec<_> = surfaces
        .into_iter()
        .flat_map(|surface| [Version::V3_1, Version::V3_0].map(|version| (version, surface)))
        .collect();
    parallel::map(&variants, |(version, surface)| file(model, *version, *surface))
}

fn file(model: &Model, version: Version, surface: Option<&str>) -> File {
    let document = document(model, version, surface).expect("the surface is one of the model's");
    let version = match version {
        Version::V3_1 => Parameter::default("version", "3.1"),
        Version::V3_0 => Parameter::with_value("version", "3.0"),
    };
    let surface = match surface {
        None => Parameter::absent("surface"),
        Some(name) => Parameter::with_value("surface", name),
    };
    let bytes = document.compact().into_bytes();
    let file = File::new(OPENAPI, "application/json", FileKind::Document, bytes).selected_by(vec![version, surface]);
    match file.is_default() {
        true => file.related("service-desc"),
        false => file,
    }
}
