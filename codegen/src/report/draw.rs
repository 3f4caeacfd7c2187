//! How a report looks: like one of rustc's, drawn by the crate that draws those of Cargo.

use super::{Report, Style};
use crate::spec::Span;
use annotate_snippets::{Annotation, AnnotationKind, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Widest drawing, in characters: longer lines are shown in part.
const WIDTH: usize = 110;
/// Most bytes of lines from which something is drawn: a file of one line is no text, and takes long for each report.
const LARGEST: usize = 100_000;

/// The drawing, with an end of line behind its last one.
pub(super) fn draw(report: &Report, file: &str, source: &str, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let excerpt = Excerpt::of(report, source);
    let mut group = Level::ERROR
        .primary_title(&report.message)
        .id(report.rule)
        .elements(excerpt.as_ref().map(|excerpt| excerpt.snippet(report, file, source)));
    if excerpt.is_none() {
        let at = report.at;
        let origin = Origin::path(file);
        group = group.element(match at.is_nowhere() {
            true => origin,
            false => origin.line(at.line).char_column(at.column),
        });
    }
    let group = group
        .elements(report.note.as_deref().map(|note| Level::NOTE.message(note)))
        .elements(report.help.as_deref().map(|help| Level::HELP.message(help)));
    let mut text = renderer.term_width(WIDTH).render(&[group]);
    text.push('\n');
    text
}

/// What is said of reports that are not shown.
pub(super) fn rest(count: usize, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let more = if count == 1 { "mistake" } else { "mistakes" };
    let message = format!("{count} more {more} not shown: mend these first");
    let group = Level::ERROR.primary_title(&message).elements(None::<Origin<'_>>);
    renderer.term_width(WIDTH).render(&[group]) + "\n"
}

/// The lines of the source that hold everything that a report points at.
struct Excerpt {
    lines: Range<usize>,
    first: usize,
}

impl Excerpt {
    /// None if the report has no place, or none in this source, or if too much stands around it to be drawn.
    fn of(report: &Report, source: &str) -> Option<Excerpt> {
        if report.at.is_nowhere() {
            return None;
        }
        let places = || [report.at].into_iter().chain(report.related.iter().map(|(at, _)| *at));
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

    fn snippet<'a>(&self, report: &'a Report, file: &'a str, source: &'a str) -> Snippet<'a, Annotation<'a>> {
        let primary = AnnotationKind::Primary.span(self.inside(report.at, source));
        let related = report.related.iter().map(|(at, label)| {
            AnnotationKind::Context
                .span(self.inside(*at, source))
                .label(label.as_str())
        });
        // Ends of lines from Windows would be shown; a blank in their place takes as many bytes.
        Snippet::source(source[self.lines.clone()].replace('\r', " "))
            .line_start(self.first)
            .path(file)
            .annotation(primary)
            .annotations(related)
    }

    /// The first line of a place, counted from the start of the excerpt.
    fn inside(&self, at: Span, source: &str) -> Range<usize> {
        let text = &source[at.start..at.end];
        let line = text.find('\n').map_or(text, |end| &text[..end]).trim_end();
        let start = at.start - self.lines.start;
        start..start + line.len()
    }
}
