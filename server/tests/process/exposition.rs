//! A strict parser of `/metrics` by the grammar of its format: any violation fails the test.

use std::collections::{BTreeMap, BTreeSet};

use test_support::http::call;
use test_support::process::Service;

/// The format of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Format {
    /// The Prometheus text format 0.0.4.
    Prometheus,
    /// OpenMetrics 1.0.
    OpenMetrics,
}

impl Format {
    /// The format of a media type.
    #[track_caller]
    fn from_media_type(media_type: &str) -> Format {
        match media_type {
            "text/plain; version=0.0.4; charset=utf-8" => Format::Prometheus,
            "application/openmetrics-text; version=1.0.0; charset=utf-8" => Format::OpenMetrics,
            other => panic!("metrics in {other}"),
        }
    }

    fn kinds(self) -> &'static [&'static str] {
        match self {
            Format::Prometheus => &["counter", "gauge", "histogram"],
            Format::OpenMetrics => &["counter", "gauge", "histogram", "info"],
        }
    }
}

/// The samples by their names and labels, as in the text.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Exposition {
    samples: BTreeMap<String, f64>,
}

/// The lines of one metric.
#[derive(Debug, Default)]
struct Family {
    name: String,
    kind: String,
    samples: Vec<Sample>,
}

type Labels = Vec<(String, String)>;

#[derive(Debug)]
struct Sample {
    suffix: String,
    labels: Labels,
    value: f64,
}

impl Exposition {
    #[track_caller]
    pub(crate) fn scrape(service: &Service) -> Exposition {
        let (format, exposition) = Exposition::accepting(service, &[]);
        assert_eq!(format, Format::Prometheus);
        exposition
    }

    /// The answer to requests with these `Accept` headers, and its format.
    #[track_caller]
    pub(crate) fn accepting(service: &Service, accept: &[&str]) -> (Format, Exposition) {
        let accept: Vec<(&str, &str)> = accept.iter().map(|line| ("Accept", *line)).collect();
        let answer = call(service.address, "GET", "/metrics", &accept, None);
        assert_eq!((answer.status, answer.header("vary")), (200, Some("Accept")));
        let format = Format::from_media_type(answer.header("content-type").expect("a type"));
        let exposition = Exposition::parse(&answer.text(), format);
        (format, exposition.unwrap_or_else(|error| panic!("{error}")))
    }

    fn parse(text: &str, format: Format) -> Result<Exposition, String> {
        let end = match format {
            Format::Prometheus => "",
            Format::OpenMetrics => "# EOF\n",
        };
        let body = text.strip_suffix(end).ok_or("it does not end with its end")?;
        if !body.ends_with('\n') {
            return Err("its last line has no end".to_owned());
        }
        let mut exposition = Exposition::default();
        let mut names = BTreeSet::new();
        let mut family = Family::default();
        for line in body.lines() {
            match Family::begun_by(line)? {
                Some(next) => {
                    exposition.add(std::mem::replace(&mut family, next), format)?;
                    if !names.insert(family.name.clone()) {
                        return Err(format!("begun twice: {line}"));
                    }
                }
                None => family.take(line, format).map_err(|error| format!("{error}: {line}"))?,
            }
        }
        exposition.add(family, format)?;
        Ok(exposition)
    }

    fn add(&mut self, family: Family, format: Format) -> Result<(), String> {
        family.check(format)?;
        for Sample { suffix, labels, value } in family.samples {
            let labels: Vec<String> = labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let name = format!("{}{suffix} {}", family.name, labels.join(" "));
            if self.samples.insert(name.trim_end().to_owned(), value).is_some() {
                return Err(format!("said twice: {name}"));
            }
        }
        Ok(())
    }

    /// The value of `NAME LABEL=VALUE …`.
    #[track_caller]
    pub(crate) fn value(&self, sample: &str) -> f64 {
        *self
            .samples
            .get(sample)
            .unwrap_or_else(|| panic!("no {sample}: {:#?}", self.samples))
    }

    /// All values under a name, by their labels.
    pub(crate) fn all(&self, name: &str) -> BTreeMap<&str, f64> {
        self.samples
            .iter()
            .filter_map(|(sample, value)| {
                let (this, labels) = sample.split_once(' ').unwrap_or((sample, ""));
                (this == name).then_some((labels, *value))
            })
            .collect()
    }

    /// The names and labels of all samples.
    pub(crate) fn series(&self) -> BTreeSet<&String> {
        self.samples.keys().collect()
    }
}

impl Family {
    /// The family that a line begins; `None` if the line continues one.
    fn begun_by(line: &str) -> Result<Option<Family>, String> {
        let Some(rest) = line.strip_prefix("# HELP ") else {
            return Ok(None);
        };
        let (name, help) = rest.split_once(' ').ok_or("help without a text")?;
        if !is_name(name) || help.is_empty() {
            return Err(format!("no help: {line}"));
        }
        Ok(Some(Family {
            name: name.to_owned(),
            ..Family::default()
        }))
    }

    fn take(&mut self, line: &str, format: Format) -> Result<(), String> {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let kind = rest
                .strip_prefix(&format!("{} ", self.name))
                .ok_or("a type of another")?;
            if !self.kind.is_empty() || !format.kinds().contains(&kind) {
                return Err("no type".to_owned());
            }
            self.kind = kind.to_owned();
        } else if let Some(rest) = line.strip_prefix("# UNIT ") {
            let unit = rest
                .strip_prefix(&format!("{} ", self.name))
                .ok_or("a unit of another")?;
            if format != Format::OpenMetrics || !self.samples.is_empty() || !self.name.ends_with(&format!("_{unit}")) {
                return Err("no unit".to_owned());
            }
        } else {
            let rest = line.strip_prefix(&self.name).ok_or("a sample of another")?;
            let end = rest.find(['{', ' ']).ok_or("a sample without a value")?;
            let (suffix, rest) = rest.split_at(end);
            let (labels, value) = labels(rest)?;
            self.samples.push(Sample {
                suffix: suffix.to_owned(),
                labels,
                value: value
                    .strip_prefix(' ')
                    .and_then(|value| value.parse().ok())
                    .ok_or("no value")?,
            });
        }
        Ok(())
    }

    /// Whether the samples match the type of their family.
    fn check(&self, format: Format) -> Result<(), String> {
        let suffixes: &[&str] = match (self.kind.as_str(), format) {
            ("counter", Format::OpenMetrics) => &["_total"],
            ("counter", Format::Prometheus) if self.name.ends_with("_total") => &[""],
            ("gauge", _) => &[""],
            ("info", _) => &["_info"],
            ("histogram", _) => &["_bucket", "_count", "_sum"],
            _ if self.name.is_empty() => return Ok(()),
            _ => return Err(format!("{} has no type of its name", self.name)),
        };
        for sample in &self.samples {
            let is_sound = sample.value.is_finite() && (self.kind == "gauge" || sample.value >= 0.0);
            if !suffixes.contains(&sample.suffix.as_str()) || !is_sound {
                return Err(format!("{}: {sample:?}", self.name));
            }
        }
        self.check_buckets()
    }

    /// Whether the buckets of each set of labels grow up to its count.
    fn check_buckets(&self) -> Result<(), String> {
        let mut sets: BTreeMap<Labels, Vec<(f64, f64)>> = BTreeMap::new();
        for bucket in self.samples.iter().filter(|sample| sample.suffix == "_bucket") {
            let (bound, others): (Labels, Labels) = bucket.labels.iter().cloned().partition(|(name, _)| name == "le");
            let [(_, bound)] = bound.as_slice() else {
                return Err(format!("{bucket:?}"));
            };
            let bound = bound
                .replace("+Inf", "inf")
                .parse()
                .map_err(|_| format!("{bucket:?}"))?;
            sets.entry(others).or_default().push((bound, bucket.value));
        }
        for (labels, buckets) in sets {
            let mut counts = self.samples.iter().filter(|sample| sample.suffix == "_count");
            let count = counts
                .find(|count| count.labels == labels)
                .ok_or("a histogram without a count")?;
            let grows = buckets
                .windows(2)
                .all(|two| two[0].0 < two[1].0 && two[0].1 <= two[1].1);
            if !grows || buckets.last() != Some(&(f64::INFINITY, count.value)) {
                return Err(format!("{}: {buckets:?} of {}", self.name, count.value));
            }
        }
        Ok(())
    }
}

/// The labels, if there are any, and the rest.
fn labels(rest: &str) -> Result<(Labels, &str), String> {
    let Some(mut rest) = rest.strip_prefix('{') else {
        return Ok((Vec::new(), rest));
    };
    let mut labels = Vec::new();
    loop {
        let (name, value) = rest.split_once("=\"").ok_or("a label without a value")?;
        let end = value.find('"').ok_or("a value without an end")?;
        // The server's labels need no escapes; an escape would mean that a client chose the text.
        if !is_name(name) || value[..end].contains('\\') {
            return Err(format!("no label: {name}={}", &value[..end]));
        }
        labels.push((name.to_owned(), value[..end].to_owned()));
        rest = &value[end + 1..];
        match rest.strip_prefix(',') {
            Some(next) => rest = next,
            None => return Ok((labels, rest.strip_prefix('}').ok_or("labels without an end")?)),
        }
    }
}

fn is_name(name: &str) -> bool {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().all(is_of_name) && name.starts_with(|first: char| !first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Exposition, Format};

    #[track_caller]
    fn faulty(lines: &str) {
        let text = format!("# HELP a Help.\n{lines}\n");
        let parsed = Exposition::parse(&text, Format::Prometheus);
        assert!(parsed.is_err(), "{text}");
        let text = format!("{text}# EOF\n");
        assert!(Exposition::parse(&text, Format::OpenMetrics).is_err(), "{text}");
    }

    #[test]
    fn what_is_not_in_order_is_noticed() {
        faulty("a 1");
        faulty("# TYPE a counter\na 1");
        faulty("# TYPE a counter\na_total -1");
        faulty("# TYPE a gauge\na one");
        faulty("# TYPE a gauge\na 1\na 2");
        faulty("# TYPE a gauge\na{b=\"c} 1");
        faulty("# TYPE a gauge\na{b=\"c\\\"\"} 1");
        faulty("# TYPE a gauge\n\na 1");
        faulty("# TYPE a gauge\n# UNIT a seconds\na 1");
        faulty("# TYPE a gauge\nb 1");
        faulty("# TYPE a gauge\na 1\n# HELP a Help.\n# TYPE a gauge\na{b=\"c\"} 1");
        faulty("# TYPE a histogram\na_bucket{le=\"1.0\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\na_sum 1");
        faulty("# TYPE a histogram\na_bucket{le=\"1.0\"} 1\na_count 1\na_sum 1");
        faulty("# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_count 2\na_sum 1");
    }

    #[test]
    fn what_one_format_says_the_other_does_not() {
        let open = "# HELP a Help.\n# TYPE a counter\na_total{b=\"c\",d=\"e\"} 1\n# EOF\n";
        let plain = "# HELP a_total Help.\n# TYPE a_total counter\na_total{b=\"c\",d=\"e\"} 1\n";
        for (text, is, other) in [
            (open, Format::OpenMetrics, Format::Prometheus),
            (plain, Format::Prometheus, Format::OpenMetrics),
        ] {
            let exposition = Exposition::parse(text, is).expect("sound");
            assert_eq!(exposition.value("a_total b=c d=e"), 1.0);
            assert!(Exposition::parse(text, other).is_err(), "{text}");
        }
        assert!(Exposition::parse(&open.replace("# EOF\n", ""), Format::OpenMetrics).is_err());
        assert!(Exposition::parse("# HELP a Help.\n# TYPE a info\na_info 1\n", Format::Prometheus).is_err());
    }
}
