//! Documents that clients cannot reach if the server asks the surfaces first: a surface answers all paths below its
//! base, and the path of its tools.

use crate::Model;
use crate::documents::{File, tools};

/// One warning for each surface whose base covers some of these files, with what to do.
pub(super) fn warnings(model: &Model, files: &[File]) -> Vec<String> {
    let surfaces = model.surfaces.iter().filter_map(|surface| {
        let file = files.iter().find(|file| is_under(&file.path, &surface.base))?;
        Some(format!(
            "the surface `{}` serves all paths under `{}/`, including `{}`: try the filter of the documents before \
             the surfaces, or give this surface another base",
            surface.name, surface.base, file.path
        ))
    });
    surfaces.chain(of_tools(model, files)).collect()
}

/// The most characters of instructions that clients read.
const INSTRUCTIONS: usize = 2048;

/// Warnings for tools that stand where a document does, and for instructions that clients cut.
fn of_tools<'m>(model: &'m Model, files: &'m [File]) -> impl Iterator<Item = String> + 'm {
    let mounted = model
        .surfaces
        .iter()
        .filter_map(|surface| Some((surface, surface.mcp.as_ref()?)));
    mounted.flat_map(|(surface, mcp)| {
        let name = &surface.name;
        let is_covered = files.iter().any(|file| file.path == mcp.path);
        let covers = is_covered.then(|| format!("the tools of `{name}` are at the path of a document, `{}`", mcp.path));
        let length = tools::instructions(model, surface).unwrap_or_default().chars().count();
        let too_long = (length > INSTRUCTIONS).then(|| {
            format!("the instructions of the tools of `{name}` have {length} characters: clients cut them after {INSTRUCTIONS}")
        });
        covers.into_iter().chain(too_long)
    })
}

/// Whether a path is the base of a surface or lies below it.
fn is_under(path: &str, base: &str) -> bool {
    path.strip_prefix(base)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_covers_itself_and_what_is_below() {
        let covered = ["", "/docs", "/docs/page.css"].map(|base| is_under("/docs/page.css", base));
        assert_eq!(covered, [true, true, true]);
        let free = ["/doc", "/docs/page", "/v1"].map(|base| is_under("/docs/page.css", base));
        assert_eq!(free, [false, false, false]);
    }

    #[test]
    fn a_surface_that_covers_documents_is_reported_with_one_of_them() {
        let contract = include_str!("../../tests/expected/lighthouse.yaml");
        let warned = |contract: &str| {
            let model = crate::compile(contract).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
            warnings(&model, &crate::documents::files(&model))
        };
        assert_eq!(warned(contract), Vec::<String>::new());
        let warnings = warned(&contract.replace("base: /open\n", "base: /docs\n"));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].contains("under `/docs/`, including `/docs`"),
            "{warnings:?}"
        );
    }
}
