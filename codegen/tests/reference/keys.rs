//! The sections of a contract, in its order, with their keys.

use super::forms::{described, heading_of};
use super::page::{Page, link, lowered};
use codegen::syntax::{self, Choice, FILE, Form, Key, Presence, Scalar, Section};

/// The keys of the whole file.
pub(super) fn chapters() -> impl Iterator<Item = &'static Key> {
    FILE.keys.iter()
}

pub(super) fn write(page: &mut Page) {
    page.heading(2, "The sections");
    page.paragraph(FILE.doc);
    page.row(&["section", "", "meaning"]);
    page.row(&["---", "---", "---"]);
    for key in chapters() {
        let presence = match key.presence {
            Presence::Required => "required",
            _ => "",
        };
        page.row(&[
            &link(&format!("`{}`", key.name), key.name),
            presence,
            first_sentence(key.doc),
        ]);
    }
    page.end_of_list();
    let mut done = Vec::new();
    for key in chapters() {
        chapter(page, key, &mut done);
    }
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(". ").next().unwrap_or(text).trim_end()
}

fn chapter(page: &mut Page, key: &'static Key, done: &mut Vec<&'static Section>) {
    page.heading(2, &format!("`{}`", key.name));
    page.paragraph(key.doc);
    if !key.effect.is_empty() {
        page.paragraph(&format!("*Effect:* {}", lowered(key.effect)));
    }
    let value = match key.form {
        Form::Section(_) => String::new(),
        _ => format!(" Its value is {}.", described(&key.form)),
    };
    page.paragraph(&format!("This section is {}.{value}", presence(key)));
    page.example(&format!("{}: {}", key.name, key.example()));
    choices(page, &key.form, 0);
    let mut within = Vec::new();
    sections_of(&key.form, &mut within);
    for section in within {
        if !done.contains(&section) {
            done.push(section);
            self::section(page, section, key);
        }
    }
}

/// The sections inside a value, each followed by its own.
fn sections_of(form: &'static Form, found: &mut Vec<&'static Section>) {
    match form {
        Form::Section(section) => {
            found.push(section);
            section.keys.iter().for_each(|key| sections_of(&key.form, found));
        }
        Form::List { of, .. } | Form::Map { of, .. } | Form::Pair { of, .. } => sections_of(of, found),
        Form::Either { of, .. } => of.iter().for_each(|form| sections_of(form, found)),
        Form::Scalar(_) => {}
    }
}

fn section(page: &mut Page, section: &'static Section, chapter: &Key) {
    if section.path != chapter.name {
        page.heading(3, &heading_of(section));
        page.paragraph(section.doc);
        page.example(section.example);
    }
    for key in section.keys {
        entry(page, key);
    }
    page.end_of_list();
}

fn entry(page: &mut Page, key: &'static Key) {
    let mut head = format!("**`{}`** ({}): {}", key.name, presence(key), described(&key.form));
    let is_only_word = head.ends_with(&format!(": `{}`", key.example()));
    if !is_only_word && (key.form.section().is_none() || key.form.scalar().is_some()) {
        head.push_str(&format!(", such as `{}`", key.example()));
    }
    let effect = format!("*Effect:* {}", lowered(key.effect));
    let lines = [head.as_str(), key.doc, &effect];
    let columns = if key.effect.is_empty() { 2 } else { 3 };
    page.item_of_lines(0, &lines[..columns]);
    choices(page, &key.form, 1);
}

/// The choices of a value, each with its meaning.
fn choices(page: &mut Page, form: &Form, depth: usize) {
    let words: Option<(&[Choice], &str)> = match form {
        Form::Scalar(Scalar::OneOf(choices)) => Some((choices, "")),
        Form::Scalar(Scalar::EnvelopeValue(choices)) => Some((choices, "$")),
        Form::List { of, .. } | Form::Map { of, .. } => return choices_below(page, of, depth),
        Form::Either { of, .. } => return of.iter().for_each(|form| choices(page, form, depth)),
        _ => None,
    };
    let Some((words, mark)) = words else { return };
    for choice in words {
        page.item(depth, &format!("`{mark}{}`: {}", choice.word, lowered(choice.doc)));
    }
}

/// Of several forms the first one: the others are made of it.
fn choices_below(page: &mut Page, form: &Form, depth: usize) {
    match form {
        Form::Scalar(Scalar::OneOf(_) | Scalar::EnvelopeValue(_)) => choices(page, form, depth),
        Form::Either { of, .. } => choices_below(page, &of[0], depth),
        _ => {}
    }
}

fn presence(key: &Key) -> String {
    match key.presence {
        Presence::Required => "required".to_owned(),
        Presence::Choice => "one of these".to_owned(),
        Presence::Optional(absent) => format!("optional; if absent: {absent}"),
    }
}

/// Each section is described once.
#[test]
fn no_section_is_forgotten() {
    let mut found = Vec::new();
    chapters().for_each(|key| sections_of(&key.form, &mut found));
    for section in syntax::sections() {
        assert!(section == FILE || found.contains(&section), "{}", section.what);
    }
}
