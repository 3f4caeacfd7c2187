//! Which traits the sources of a package implement by hand.

use std::collections::BTreeSet;
use std::path::Path;
use syn::visit::{self, Visit};

/// The traits of all `impl TRAIT for TYPE` in the Rust files below a folder, by their last two names, and with the type:
/// `CreateNote` or `board::CreateNote`, and `Record for Note`. A trait of one name in two surfaces has to be named with its surface.
pub(super) fn traits(folder: &Path) -> BTreeSet<String> {
    let mut found = Found::default();
    see(folder, &mut found);
    found.0
}

/// Files that cannot be read or parsed are left to the compiler, which says what is wrong.
fn see(folder: &Path, found: &mut Found) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            see(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            found.see(&text);
        }
    }
}

#[derive(Default)]
struct Found(BTreeSet<String>);

impl Found {
    fn see(&mut self, text: &str) {
        if let Ok(file) = syn::parse_file(text) {
            self.visit_file(&file);
        }
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let Some((_, path, _)) = &item.trait_ {
            let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            if let (Some(last), syn::Type::Path(of)) = (names.last(), &*item.self_ty)
                && let Some(of) = of.path.segments.last()
            {
                self.0.insert(format!("{last} for {}", of.ident));
            }
            match names.as_slice() {
                [.., surface, last] => drop(self.0.insert(format!("{surface}::{last}"))),
                [one] => drop(self.0.insert(one.clone())),
                [] => {}
            }
        }
        visit::visit_item_impl(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_are_found_wherever_they_are_implemented() {
        let mut found = Found::default();
        found.see("impl FindNote for A {} impl Own { } mod b { impl crate::board::ListNotes for A {} }");
        found.see("fn f() { impl<T> desk::CreateNote for B<T> {} }");
        found.see("this is no Rust");
        let found: Vec<&str> = found.0.iter().map(String::as_str).collect();
        let with_types = ["CreateNote for B", "FindNote", "FindNote for A", "ListNotes for A"];
        assert_eq!(
            found,
            [&with_types[..], &["board::ListNotes", "desk::CreateNote"]].concat()
        );
    }
}
