//! Draws a diagram as inline SVG in the page's colours: classes distinguish lines, boxes and labels.

use super::diagram::{Arrow, Box, Diagram};
use maud::{Markup, html};

/// The radius of a bend.
const BEND: i32 = 7;
/// Half the width of an arrow's head; its length is twice that.
const HEAD: i32 = 4;

/// The picture, with its title and a description for screen readers.
pub(super) fn svg(diagram: &Diagram, title: &str, description: &str) -> Markup {
    let Diagram { width, height, .. } = diagram;
    html! {
        svg.diagram role="img" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
            title { (title) }
            desc { (description) }
            @if let Some(frame) = &diagram.frame { (framed(frame)) }
            @for one in &diagram.boxes { (boxed(one)) }
            @for arrow in &diagram.arrows { (way(arrow)) }
            (beginning(diagram))
        }
    }
}

fn boxed(one: &Box) -> Markup {
    html! {
        rect.state x=(one.left) y=(one.top) width=(one.width) height=(one.height) rx="8" {}
        @if one.is_last { rect.last x=(one.left + 4) y=(one.top + 4) width=(one.width - 8) height=(one.height - 8) rx="5" {} }
        text x=(one.left + one.width / 2) y=(one.top + one.height / 2) { (one.label) }
    }
}

fn framed(frame: &Box) -> Markup {
    html! {
        rect.frame x=(frame.left) y=(frame.top) width=(frame.width) height=(frame.height) rx="12" {}
        text.aside x=(frame.left + frame.width / 2) y=(frame.top + frame.height - 15) { (frame.label) }
    }
}

/// The arrow from a dot to the first state.
fn beginning(diagram: &Diagram) -> Markup {
    let first = diagram.boxes.first();
    html! {
        @if let Some(Box { left, top, width, .. }) = first {
            @let x = left + width / 2;
            @let dot = diagram.frame.as_ref().map_or(*top, |frame| frame.top) - 30;
            circle.dot cx=(x) cy=(dot) r="5" {}
            path.way d={ "M " (x) " " (dot) " V " (top - HEAD) } {}
            path.head d=(head((x, *top), (0, 1))) {}
        }
    }
}

fn way(arrow: &Arrow) -> Markup {
    let ((x, y), (_, end), lane) = (arrow.start, arrow.end, arrow.lane);
    if lane == x {
        return html! {
            path.way d={ "M " (x) " " (y) " V " (end - HEAD) } {}
            path.head d=(head(arrow.end, (0, 1))) {}
        };
    }
    let (out, down) = ((lane - x).signum(), (end - y).signum());
    let line = format!(
        "M {x} {y} H {} Q {lane} {y} {lane} {} V {} Q {lane} {end} {} {end} H {}",
        lane - out * BEND,
        y + down * BEND,
        end - down * BEND,
        lane - out * BEND,
        x + out * HEAD,
    );
    html! {
        path.way d=(line) {}
        path.head d=(head(arrow.end, (-out, 0))) {}
    }
}

/// A triangle with its tip at this point, in this direction.
fn head((x, y): (i32, i32), (right, down): (i32, i32)) -> String {
    let (back, aside) = ((-right * 2 * HEAD, -down * 2 * HEAD), (down * HEAD, right * HEAD));
    format!(
        "M {x} {y} L {} {} L {} {} Z",
        x + back.0 + aside.0,
        y + back.1 + aside.1,
        x + back.0 - aside.0,
        y + back.1 - aside.1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_points_where_the_way_leads() {
        assert_eq!(head((10, 20), (0, 1)), "M 10 20 L 14 12 L 6 12 Z");
        assert_eq!(head((10, 20), (-1, 0)), "M 10 20 L 18 16 L 18 24 Z");
    }
}
