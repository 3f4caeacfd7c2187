//! Draws a diagnostic or a change in the format of rustc, with the crate that draws the diagnostics of Cargo.

use super::{Diagnostic, Style};
use crate::rules::Severity;
use crate::span::Span;
use annotate_snippets::{Annotation, AnnotationKind, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Maximum width in characters. Longer lines are cut.
const WIDTH: usize = 110;
/// Maximum bytes of the source lines in one drawing. A file of one huge line would be slow to draw.
const LARGEST: usize = 100_000;

/// The content of a drawing. It must contain no styles and no control characters for terminals.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    /// The severity: the word before the rule, and its colour.
    pub severity: Severity,
    /// The name of the rule.
    pub rule: &'a str,
    /// What was found.
    pub message: &'a str,
    /// The positions, in one or more files.
    pub places: Vec<Location<'a>>,
    /// Additional information.
    pub notes: Vec<&'a str>,
    /// What to do.
    pub help: Option<&'a str>,
}

/// A position in a file, with other relevant positions in the same file.
#[derive(Clone, Debug)]
pub struct Location<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// Its text.
    pub source: &'a str,
    /// The underlined text.
    pub at: Span,
    /// Whether this is the subject of the drawing. `false`: the subject is compared with it.
    pub is_primary: bool,
    /// The label of the underlined text.
    pub label: Option<&'a str>,
    /// The other positions, each with a label.
    pub related: Vec<(Span, &'a str)>,
}

impl Drawing<'_> {
    /// The drawing, with a newline at its end.
    pub fn draw(&self, style: Style) -> String {
        let title = level(self.severity).primary_title(self.message).id(self.rule);
        let mut group = title.elements(None::<Origin<'_>>);
        for place in &self.places {
            group = match Excerpt::around(place) {
                Some(excerpt) => group.element(excerpt.snippet(place)),
                None => group.element(origin(place)),
            };
        }
        let notes = self.notes.iter().map(|note| Level::NOTE.message(*note));
        let help = self.help.map(|help| Level::HELP.message(help));
        let mut text = renderer(style).render(&[group.elements(notes).elements(help)]);
        text.push('\n');
        text
    }
}

/// The drawing of a diagnostic.
pub(super) fn mistake<'a>(diagnostic: &'a Diagnostic, file: &'a str, source: &'a str) -> Drawing<'a> {
    let related = diagnostic.related.iter().map(|(at, label)| (*at, label.as_str()));
    Drawing {
        severity: diagnostic.rule.severity(),
        rule: diagnostic.rule.name(),
        message: &diagnostic.message,
        places: vec![Location {
            file,
            source,
            at: diagnostic.at,
            is_primary: true,
            label: None,
            related: related.collect(),
        }],
        notes: diagnostic.note.as_deref().into_iter().collect(),
        help: diagnostic.help.as_deref(),
    }
}

/// The line that counts the diagnostics that are not shown.
pub(super) fn rest(count: usize, severity: Severity, style: Style) -> String {
    let (label, ending) = (severity.label(), if count == 1 { "" } else { "s" });
    let message = format!("{count} more {label}{ending} not shown: fix these first");
    let group = level(severity).primary_title(&message).elements(None::<Origin<'_>>);
    renderer(style).render(&[group]) + "\n"
}

fn renderer(style: Style) -> Renderer {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    renderer.term_width(WIDTH)
}

fn level(severity: Severity) -> Level<'static> {
    let level = match severity {
        Severity::Mistake | Severity::Breaking => Level::ERROR,
        Severity::Warning | Severity::Risky => Level::WARNING,
        Severity::Compatible => Level::NOTE,
    };
    level.with_name(severity.label())
}

/// The position alone, without its source.
fn origin<'a>(place: &Location<'a>) -> Origin<'a> {
    let origin = Origin::path(place.file);
    match place.at.is_unknown() {
        true => origin,
        false => origin.line(place.at.line).char_column(place.at.column),
    }
}

/// The lines of the source that contain all positions of a location.
struct Excerpt {
    lines: Range<usize>,
    first: usize,
}

impl Excerpt {
    /// `None` if the position is unknown or not in this source, or if the lines around it are too long to draw.
    fn around(place: &Location<'_>) -> Option<Excerpt> {
        let source = place.source;
        if place.at.is_unknown() {
            return None;
        }
        let places = || [place.at].into_iter().chain(place.related.iter().map(|(at, _)| *at));
        let is_inside = |at: Span| source.is_char_boundary(at.start) && source.is_char_boundary(at.end);
        if !places().all(is_inside) {
            return None;
        }
        let first = places().min()?;
        let start = source[..first.start].rfind('\n').map_or(0, |end| end + 1);
        let last = places().map(|at| at.start).max()?;
        let end = source[last..].find('\n').map_or(source.len(), |length| last + length);
        (end - start <= LARGEST).then_some(Excerpt {
            lines: start..end,
            first: first.line,
        })
    }

    fn snippet<'a>(&self, place: &Location<'a>) -> Snippet<'a, Annotation<'a>> {
        let kind = match place.is_primary {
            true => AnnotationKind::Primary,
            false => AnnotationKind::Context,
        };
        let related = place.related.iter().map(|(at, label)| {
            AnnotationKind::Context
                .span(self.inside(*at, place.source))
                .label(*label)
        });
        // `\r` of Windows line ends would be drawn. A space keeps the number of bytes.
        Snippet::source(place.source[self.lines.clone()].replace('\r', " "))
            .line_start(self.first)
            .path(place.file)
            .annotation(kind.span(self.inside(place.at, place.source)).label(place.label))
            .annotations(related)
    }

    /// The first line of a position, as bytes from the start of the excerpt.
    fn inside(&self, at: Span, source: &str) -> Range<usize> {
        let text = &source[at.start..at.end];
        let line = text.find('\n').map_or(text, |end| &text[..end]).trim_end();
        let start = at.start - self.lines.start;
        start..start + line.len()
    }
}
