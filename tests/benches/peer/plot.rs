//! The results as a plot: bars on a logarithmic scale, readable on light and dark pages.

use std::fmt::Write;

use super::Size;
use super::requests::SERVERS;

const BAR: f64 = 14.0;
/// From the first bar of one number of workers to that of the next.
const STEP: f64 = 84.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 66.0;
const HEIGHT: f64 = 240.0;
/// Powers of ten of the scale, in microseconds.
const DECADES: u32 = 5;
const FIRST: i32 = 1;
const LABELS: [&str; 6] = ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"];
const COLORS: [&str; 2] = ["#2f81f7", "#e3763a"];
/// Each share of the answers, and the opacity of its bar.
const SHARES: [(f64, &str, f64); 2] = [(0.5, "p50", 1.0), (0.99, "p99", 0.5)];

const STYLE: &str = "text { font: 12px sans-serif; fill: #24292f } line { stroke: #8c959f; stroke-opacity: 0.4 } \
    @media (prefers-color-scheme: dark) { text { fill: #d0d7de } }";

pub(super) fn svg(sizes: &[Size], caption: &str) -> String {
    // The least width is that of the longest name of a group, and of the legend.
    let panel = (sizes.len() as f64 * STEP + 24.0).max(200.0);
    let groups = sizes.first().map_or(0, |size| size.groups.len());
    let (width, height) = (LEFT + panel * groups as f64, TOP + HEIGHT + 60.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>{STYLE}</style>\n"
    );
    for (decade, label) in LABELS.iter().enumerate() {
        let y = y(10_f64.powi(FIRST + decade as i32));
        add(
            &mut svg,
            &format!("<line x1=\"{LEFT}\" x2=\"{width}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"),
        );
        text(&mut svg, LEFT - 8.0, y + 4.0, "end", label);
    }
    legend(&mut svg);
    for group in 0..groups {
        let left = LEFT + 16.0 + panel * group as f64;
        text(&mut svg, left, TOP - 12.0, "start", sizes[0].groups[group].name);
        for (place, size) in sizes.iter().enumerate() {
            let left = left + STEP * place as f64;
            bars(&mut svg, left, size, group);
            text(
                &mut svg,
                left + 2.0 * BAR,
                TOP + HEIGHT + 18.0,
                "middle",
                &thousands(size.workers),
            );
        }
    }
    text(
        &mut svg,
        LEFT,
        height - 12.0,
        "start",
        &format!("By number of workers. {caption}."),
    );
    svg + "</svg>\n"
}

fn legend(svg: &mut String) {
    let mut x = LEFT + 16.0;
    for (server, color) in SERVERS.iter().zip(COLORS) {
        for (_, share, opacity) in SHARES {
            bar(svg, [x, 12.0, 12.0], color, opacity, "");
            text(svg, x + 18.0, 22.0, "start", &format!("{server} {share}"));
            x += 150.0;
        }
    }
}

fn bars(svg: &mut String, left: f64, size: &Size, group: usize) {
    let mut x = left;
    for ((measured, color), server) in size.groups[group].measured.iter().zip(COLORS).zip(SERVERS) {
        for (share, name, opacity) in SHARES {
            let micros = measured.quantile(share);
            let top = y(micros);
            let title = format!("{server} {name}: {micros:.0} µs");
            bar(svg, [x, top, TOP + HEIGHT - top], color, opacity, &title);
            x += BAR;
        }
    }
}

/// A bar at x, y with a height.
fn bar(svg: &mut String, [x, y, height]: [f64; 3], color: &str, opacity: f64, title: &str) {
    let width = BAR - 1.0;
    add(
        svg,
        &format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height:.1}\" fill=\"{color}\" \
             fill-opacity=\"{opacity}\"><title>{title}</title></rect>"
        ),
    );
}

/// The height of a latency in microseconds.
fn y(micros: f64) -> f64 {
    let decades = (micros.log10() - f64::from(FIRST)).clamp(0.0, f64::from(DECADES));
    TOP + HEIGHT - HEIGHT * decades / f64::from(DECADES)
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    add(
        svg,
        &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"),
    );
}

fn add(svg: &mut String, element: &str) {
    writeln!(svg, "{element}").expect("a text takes more");
}

fn thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1_000), number % 1_000),
    }
}
