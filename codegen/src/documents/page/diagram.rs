//! Computes the layout of a state diagram: boxes and arrows. It draws nothing.
//!
//! All states form one column in the order of the contract, so that a diagram fits a narrow screen and no arrow crosses
//! a state. An arrow to the next state is straight. Others lead down on the right and up on the left of the column, in
//! separate lanes where they overlap. The ends of arrows at a side of a state are ordered so that none cross there.

use crate::model::States;

/// Lengths are in pixels.
const LETTER: i32 = 9;
const PADDING: i32 = 14;
const NARROWEST: i32 = 90;
const LOWEST: i32 = 36;
/// Distance between two arrows at the side of a state, and between two lanes.
const APART: i32 = 13;
/// Distance between two states, and between the first one and the dot.
const GAP: i32 = 30;
/// Distance between two states of a diagram without arrows.
const CLOSE: i32 = 10;
/// Distance around everything, and between the column and the first lane.
const MARGIN: i32 = 18;

/// The layout of the states of a field and their transitions.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Diagram {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) boxes: Vec<Box>,
    pub(super) arrows: Vec<Arrow>,
    /// A frame around all boxes, instead of arrows, if any state may follow any.
    pub(super) frame: Option<Box>,
}

/// A rectangle with its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Box {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) label: String,
    /// Whether no other state follows it.
    pub(super) is_last: bool,
}

/// An arrow from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrow {
    /// The indexes of both states in [`Diagram::boxes`].
    pub(super) from: usize,
    pub(super) to: usize,
    /// Start and end: x and y.
    pub(super) start: (i32, i32),
    pub(super) end: (i32, i32),
    /// The x of its lane. The lane of a straight arrow has the x of both ends.
    pub(super) lane: i32,
}

/// A transition before the layout of its arrow is known.
#[derive(Clone, Copy, Debug)]
struct Way {
    from: usize,
    to: usize,
    side: Side,
    /// The number of its lane, counted outwards from the column.
    lane: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Straight down to the next state.
    Below,
    /// Down, past other states.
    Right,
    /// Up.
    Left,
}

impl Diagram {
    /// The diagram of these values, with the transitions of `states`.
    pub(super) fn new(values: &[String], states: &States) -> Self {
        let first = values.iter().filter(|value| **value == states.initial);
        let others = values.iter().filter(|value| **value != states.initial);
        let labels: Vec<&String> = first.chain(others).collect();
        match &states.transitions {
            Some(transitions) => Self::of_ways(&labels, ways(&labels, transitions)),
            None => Self::of_any(&labels),
        }
    }

    fn of_ways(labels: &[&String], ways: Vec<Way>) -> Self {
        let lanes = |side| ways.iter().filter(|way| way.side == side).map(|way| way.lane + 1).max();
        let beside = |side| lanes(side).map_or(MARGIN, |lanes| 2 * MARGIN + length(lanes - 1) * APART);
        let left = beside(Side::Left);
        let boxes = column(labels, left, MARGIN + GAP, GAP, |place| {
            let at = |side| ports(&ways, place, side).len();
            length(at(Side::Left).max(at(Side::Right)) + 1) * APART
        });
        let (width, bottom) = extent(&boxes);
        let boxes = boxes.into_iter().enumerate().map(|(place, one)| Box {
            is_last: ways.iter().all(|way| way.from != place),
            ..one
        });
        let boxes: Vec<Box> = boxes.collect();
        Self {
            width: left + width + beside(Side::Right),
            height: bottom + MARGIN,
            arrows: ways.iter().map(|way| arrow(&boxes, &ways, way)).collect(),
            boxes,
            frame: None,
        }
    }

    fn of_any(labels: &[&String]) -> Self {
        let label = "all transitions".to_owned();
        let top = MARGIN + GAP;
        let boxes = column(labels, 2 * MARGIN, top + MARGIN, CLOSE, |_| 0);
        let (width, bottom) = extent(&boxes);
        let frame = Box {
            left: MARGIN,
            top,
            width: (width + 2 * MARGIN).max(across(&label)),
            // With the label at the bottom.
            height: bottom + GAP - top,
            label,
            is_last: false,
        };
        let aside = (frame.width - width) / 2 - MARGIN;
        let boxes = boxes.into_iter().map(|one| Box {
            left: one.left + aside,
            ..one
        });
        Self {
            width: frame.width + 2 * MARGIN,
            height: frame.top + frame.height + MARGIN,
            boxes: boxes.collect(),
            arrows: Vec::new(),
            frame: Some(frame),
        }
    }
}

/// The boxes of these labels, one below another; `least` returns the minimum height of each.
fn column(labels: &[&String], left: i32, top: i32, gap: i32, least: impl Fn(usize) -> i32) -> Vec<Box> {
    let width = labels.iter().map(|label| across(label)).max().unwrap_or_default();
    let mut top = top;
    let boxes = labels.iter().enumerate().map(|(place, label)| {
        let one = Box {
            left,
            top,
            width: width.max(NARROWEST),
            height: least(place).max(LOWEST),
            label: (*label).clone(),
            is_last: false,
        };
        top += one.height + gap;
        one
    });
    boxes.collect()
}

/// The width of a column, and where it ends.
fn extent(boxes: &[Box]) -> (i32, i32) {
    boxes.last().map_or((0, 0), |last| (last.width, last.top + last.height))
}

fn across(label: &str) -> i32 {
    length(label.chars().count()) * LETTER + 2 * PADDING
}

fn length(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 1000)
}

/// The transitions, each with its lane: short ones have the inner lanes.
fn ways(labels: &[&String], transitions: &[(String, Vec<String>)]) -> Vec<Way> {
    let place = |name: &String| labels.iter().position(|label| *label == name);
    let pairs = transitions
        .iter()
        .flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
    let pairs = pairs.filter_map(|(from, to)| Some((place(from)?, place(to)?)));
    let mut ways: Vec<Way> = pairs
        .filter(|(from, to)| from != to)
        .map(|(from, to)| way(from, to))
        .collect();
    ways.sort_by_key(|way| (way.from.abs_diff(way.to), way.from.min(way.to)));
    let mut placed: Vec<Way> = Vec::new();
    for way in ways {
        let meets = |lane| {
            placed
                .iter()
                .any(|other| other.side == way.side && other.lane == lane && overlap(other, &way))
        };
        let lane = (0..).find(|lane| !meets(*lane)).unwrap_or_default();
        placed.push(Way { lane, ..way });
    }
    placed
}

fn way(from: usize, to: usize) -> Way {
    let side = match to {
        _ if to == from + 1 => Side::Below,
        _ if to > from => Side::Right,
        _ => Side::Left,
    };
    Way {
        from,
        to,
        side,
        lane: 0,
    }
}

/// Whether both pass the same part of the column. One may begin where the other ends.
fn overlap(one: &Way, other: &Way) -> bool {
    let span = |way: &Way| (way.from.min(way.to), way.from.max(way.to));
    let ((a, b), (c, d)) = (span(one), span(other));
    a.max(c) < b.min(d)
}

/// The arrows at one side of a state, from top to bottom: first those from above, inner lanes first, then those from
/// below, outer lanes first.
fn ports(ways: &[Way], place: usize, side: Side) -> Vec<Way> {
    let here = ways
        .iter()
        .filter(|way| way.side == side && (way.from == place || way.to == place));
    let mut here: Vec<Way> = here.copied().collect();
    here.sort_by_key(|way| {
        let is_from_above = way.from.min(way.to) < place;
        let lane = length(way.lane);
        if is_from_above { (0, lane) } else { (1, -lane) }
    });
    here
}

fn arrow(boxes: &[Box], ways: &[Way], way: &Way) -> Arrow {
    let (from, to) = (&boxes[way.from], &boxes[way.to]);
    let middle = from.left + from.width / 2;
    let beside = MARGIN + length(way.lane) * APART;
    let (x, lane) = match way.side {
        Side::Below => (middle, middle),
        Side::Right => (from.left + from.width, from.left + from.width + beside),
        Side::Left => (from.left, from.left - beside),
    };
    let (start, end) = match way.side {
        Side::Below => (from.top + from.height, to.top),
        side => (
            height(boxes, ways, way, way.from, side),
            height(boxes, ways, way, way.to, side),
        ),
    };
    Arrow {
        from: way.from,
        to: way.to,
        start: (x, start),
        end: (x, end),
        lane,
    }
}

/// The height at which an arrow meets a state.
fn height(boxes: &[Box], ways: &[Way], way: &Way, place: usize, side: Side) -> i32 {
    let ports = ports(ways, place, side);
    let order = ports.iter().position(|one| (one.from, one.to) == (way.from, way.to));
    let one = &boxes[place];
    one.top + one.height * length(order.unwrap_or_default() + 1) / length(ports.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Span;

    fn diagram(values: &[&str], transitions: Option<&[(&str, &[&str])]>) -> Diagram {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let states = States {
            of: ("Thing".to_owned(), "status".to_owned()),
            initial: values.first().map(|first| (*first).to_owned()).unwrap_or_default(),
            transitions: transitions
                .map(|rows| rows.iter().map(|(from, to)| ((*from).to_owned(), owned(to))).collect()),
            at: Span::default(),
        };
        Diagram::new(&owned(values), &states)
    }

    /// Five states with all transitions.
    fn crowded() -> Diagram {
        const ALL: [&str; 5] = ["a", "bb", "ccc", "dddd", "a_long_name_of_a_state"];
        let rows = ALL.map(|from| (from, ALL.as_slice()));
        diagram(&ALL, Some(&rows))
    }

    #[test]
    fn each_way_has_an_arrow_between_the_sides_of_its_states() {
        let diagram = crowded();
        assert_eq!(diagram.arrows.len(), 20);
        for arrow in &diagram.arrows {
            for (place, (x, y)) in [(arrow.from, arrow.start), (arrow.to, arrow.end)] {
                let one = &diagram.boxes[place];
                let edges = [one.left, one.left + one.width / 2, one.left + one.width];
                assert!(
                    edges.contains(&x) && (one.top..=one.top + one.height).contains(&y),
                    "{arrow:?}"
                );
            }
        }
    }

    #[test]
    fn no_two_arrows_meet_in_a_lane_or_at_a_state() {
        let arrows = crowded().arrows;
        for (place, one) in arrows.iter().enumerate() {
            for other in &arrows[place + 1..] {
                let span = |arrow: &Arrow| (arrow.start.1.min(arrow.end.1), arrow.start.1.max(arrow.end.1));
                let ((a, b), (c, d)) = (span(one), span(other));
                assert!(one.lane != other.lane || a.max(c) > b.min(d), "{one:?} {other:?}");
                assert!(
                    one.start != other.start && one.end != other.end && one.start != other.end,
                    "{one:?} {other:?}"
                );
            }
        }
    }

    #[test]
    fn everything_is_within_the_picture_and_no_state_on_another() {
        for diagram in [
            crowded(),
            diagram(&["open", "shut"], None),
            diagram(&["only"], Some(&[])),
        ] {
            let lanes = diagram.arrows.iter().map(|arrow| arrow.lane);
            let framed = diagram.frame.iter().chain(&diagram.boxes);
            let edges = framed.flat_map(|one| [one.left, one.left + one.width]);
            assert!(lanes.chain(edges).all(|x| 0 < x && x < diagram.width), "{diagram:?}");
            let bottoms = diagram.boxes.iter().map(|one| one.top + one.height);
            let next = diagram.boxes.iter().skip(1).map(|one| one.top).chain([diagram.height]);
            assert!(bottoms.zip(next).all(|(bottom, next)| bottom < next), "{diagram:?}");
        }
    }

    #[test]
    fn the_first_state_is_on_top_and_what_nothing_follows_is_the_last() {
        let states = diagram(
            &["open", "shut", "gone"],
            Some(&[("open", &["shut", "gone"]), ("shut", &["open"])]),
        );
        let boxes = states.boxes.iter().map(|one| (one.label.as_str(), one.is_last));
        assert_eq!(
            boxes.collect::<Vec<_>>(),
            [("open", false), ("shut", false), ("gone", true)]
        );
    }

    #[test]
    fn where_any_may_follow_any_there_is_a_frame_instead_of_arrows() {
        let states = diagram(&["open", "shut"], None);
        assert!(states.arrows.is_empty() && states.boxes.iter().all(|one| !one.is_last));
        assert_eq!(
            states.frame.map(|frame| frame.label),
            Some("all transitions".to_owned())
        );
    }
}
