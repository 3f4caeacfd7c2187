//! The text formats of metrics: OpenMetrics 1.0 for clients that ask for it, and Prometheus's 0.0.4 for all others.

use std::fmt::Write;

use contract::support::accept::{Item, NOT_AT_ALL, weight_of_media};
use http::HeaderMap;

/// The format of the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// The Prometheus text format 0.0.4, which all readers of metrics support.
    Prometheus,
    /// OpenMetrics 1.0.
    OpenMetrics,
}

impl Format {
    /// OpenMetrics if `Accept` names it with at least the weight of plain text.
    pub(super) fn accepted(headers: &HeaderMap) -> Format {
        let is_of_version = |range: &Item, version| range.parameter("version").is_none_or(|wanted| wanted == version);
        let open_metrics = weight_of_media(headers, |range| {
            range.name == "application/openmetrics-text" && is_of_version(range, "1.0.0")
        });
        let plain_text = weight_of_media(headers, |range| {
            ["text/plain", "text/*", "*/*"].contains(&range.name.as_str()) && is_of_version(range, "0.0.4")
        });
        if open_metrics > NOT_AT_ALL && open_metrics >= plain_text {
            Format::OpenMetrics
        } else {
            Format::Prometheus
        }
    }

    pub(super) fn media_type(self) -> &'static str {
        match self {
            Format::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
            Format::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }

    /// Converts an OpenMetrics text to this format.
    pub(super) fn render(self, open_metrics: String) -> String {
        match self {
            Format::Prometheus => prometheus(&open_metrics),
            Format::OpenMetrics => open_metrics,
        }
    }
}

/// The same samples in the Prometheus text format. There, a family has the name of its samples, and there is no info
/// type, no unit and no end marker. (No metric has an exemplar.)
fn prometheus(open_metrics: &str) -> String {
    let mut out = String::with_capacity(open_metrics.len());
    let mut help = "";
    for line in open_metrics.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            help = rest.split_once(' ').map_or("", |(_, help)| help);
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' ')) {
            let (suffix, kind) = match kind {
                "counter" => ("_total", kind),
                "info" => ("_info", "gauge"),
                _ => ("", kind),
            };
            let _ = write!(out, "# HELP {name}{suffix} {help}\n# TYPE {name}{suffix} {kind}\n");
        } else if !line.starts_with('#') {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use http::header::ACCEPT;

    #[track_caller]
    fn check(accept: &[&'static str], expected: Format) {
        let lines = accept.iter().map(|line| (ACCEPT, HeaderValue::from_static(line)));
        assert_eq!(Format::accepted(&lines.collect()), expected, "{accept:?}");
    }

    #[test]
    fn open_metrics_is_sent_to_those_who_ask_for_it() {
        // The headers of Prometheus 2 and 3.
        check(
            &[
                "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,\
               text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
            ],
            Format::OpenMetrics,
        );
        check(&["application/openmetrics-text"], Format::OpenMetrics);
        check(
            &["Application/OpenMetrics-Text; Version=\"1.0.0\""],
            Format::OpenMetrics,
        );
        check(&["text/plain", "application/openmetrics-text"], Format::OpenMetrics);
    }

    #[test]
    fn all_others_get_the_prometheus_format() {
        check(&[], Format::Prometheus);
        for accept in [
            "",
            "*/*",
            "application/*",
            "text/html,application/xhtml+xml,*/*;q=0.8",
            "text/plain;version=0.0.4",
            "application/openmetrics-text;version=0.0.1",
            "application/openmetrics-text;q=0",
            "application/openmetrics-text;q=x",
            "application/openmetrics-text;q=0.2,text/plain;q=0.3",
            "application/openmetrics-text;q=0.2,*/*;q=0.3",
        ] {
            check(&[accept], Format::Prometheus);
        }
    }

    #[test]
    fn a_family_is_named_as_its_samples() {
        let open_metrics = "# HELP a Some a.\n# TYPE a counter\na_total{b=\"c\"} 1\n# HELP d_bytes Some d.\n\
            # TYPE d_bytes gauge\n# UNIT d_bytes bytes\nd_bytes 2\n# HELP e Some e.\n# TYPE e info\ne_info{f=\"#\"} 1\n# EOF\n";
        let expected = "# HELP a_total Some a.\n# TYPE a_total counter\na_total{b=\"c\"} 1\n# HELP d_bytes Some d.\n\
            # TYPE d_bytes gauge\nd_bytes 2\n# HELP e_info Some e.\n# TYPE e_info gauge\ne_info{f=\"#\"} 1\n";
        assert_eq!(prometheus(open_metrics), expected);
    }
}
