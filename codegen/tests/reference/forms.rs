//! The forms of values: named at each key, and explained once.

use super::page::{Page, link};
use codegen::syntax::{BUILT_IN_TYPES, Form, Key, Name, Scalar, Section, Uses, sections};

/// One scalar of each form, in the order of their explanations.
fn scalars() -> Vec<Scalar> {
    let mut found: Vec<Scalar> = Vec::new();
    let keys = sections().into_iter().flat_map(|section| section.keys);
    keys.for_each(|key: &Key| collect(&key.form, &mut found));
    let explained = include_str!("../../src/syntax/grammar/forms.md");
    let titles = explained.lines().filter_map(|line| line.strip_prefix("## "));
    let of = |title| found.iter().copied().find(|scalar| scalar.what() == title);
    titles
        .map(|title| of(title).unwrap_or_else(|| panic!("no key has the form {title}")))
        .collect()
}

fn collect(form: &'static Form, found: &mut Vec<Scalar>) {
    match form {
        Form::Scalar(scalar) => found.push(*scalar),
        Form::List { of, .. } | Form::Map { of, .. } | Form::Pair { of, .. } => collect(of, found),
        Form::Either { of, .. } => of.iter().for_each(|form| collect(form, found)),
        Form::Section(_) => {}
    }
}

/// The headings of the forms.
pub(super) fn titles() -> Vec<&'static str> {
    scalars().into_iter().map(Scalar::what).collect()
}

pub(super) fn write(page: &mut Page) {
    page.heading(2, "The syntax of values");
    for scalar in scalars() {
        page.heading(3, scalar.what());
        let (first, rest) = scalar.doc();
        page.paragraph(first);
        page.paragraph(rest);
        if let Scalar::TypeUse(_) = scalar {
            page.paragraph("Built-in types:");
            for choice in BUILT_IN_TYPES {
                page.item(0, &format!("`{}`: {}", choice.word, choice.doc));
            }
            page.end_of_list();
        }
    }
}

/// A short description of a value.
pub(super) fn described(form: &Form) -> String {
    match form {
        Form::Scalar(scalar) => of_scalar(*scalar),
        Form::List { of, .. } => format!("a list, each item {}", described(of)),
        Form::Map { names, of, .. } => format!("a map from {} to {}", named(*names), described(of)),
        Form::Pair { names, of, .. } => format!("a map of one entry, from {} to {}", named(*names), described(of)),
        Form::Section(section) => link(section.what, &heading_of(section)),
        Form::Either { of, .. } => {
            let forms: Vec<String> = of.iter().map(described).collect();
            forms.join(", or ")
        }
    }
}

/// The heading of a section.
pub(super) fn heading_of(section: &Section) -> String {
    match section.path.contains('.') {
        true => format!("`{}`", section.path),
        false => section.path.to_owned(),
    }
}

fn of_scalar(scalar: Scalar) -> String {
    let linked = link(scalar.what(), scalar.what());
    match scalar {
        Scalar::Name(name) => named(name),
        Scalar::OneOf([choice]) => format!("`{}`", choice.word),
        Scalar::OneOf(_) => "one of the words below".to_owned(),
        Scalar::Count(0) => linked,
        Scalar::Count(least) => format!("{linked}, {least} or more"),
        Scalar::TypeUse(Uses::Path) => format!("{linked}: an id"),
        Scalar::TypeUse(Uses::Answer) => format!("{linked}: a view or a list of records in a view"),
        _ => linked,
    }
}

fn named(name: Name) -> String {
    let heading = Scalar::Name(name).what();
    match name {
        Name::EnumValue | Name::Prefix | Name::Sibling => link(name.what(), heading),
        _ => format!("{} of {}", link("the name", heading), name.what()),
    }
}
