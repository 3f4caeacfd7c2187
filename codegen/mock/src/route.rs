//! From the method and the path of a request to its operation.

use crate::text::percent_decoded;
use codegen::model::{Model, Operation, Segment, Surface};

/// What a request is for.
pub(crate) enum Routed<'m> {
    /// An operation: its surface, and the segments of the path below the base.
    To(&'m Surface, &'m Operation, Vec<String>),
    /// A path whose operations have these other methods.
    OtherMethod(String),
    /// No path of the contract.
    Unknown,
}

/// Finds the operation. A literal segment precedes a parameter, which is never empty.
pub(crate) fn route<'m>(model: &'m Model, method: &str, path: &str) -> Routed<'m> {
    let below = |surface: &'m Surface| {
        let rest = path.strip_prefix(surface.base.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then_some((surface, rest))
    };
    let Some((surface, rest)) = model.surfaces.iter().find_map(below) else {
        return Routed::Unknown;
    };
    let segments = rest.split('/').skip(1);
    let decoded = segments.map(|segment| percent_decoded(segment).unwrap_or_else(|| segment.to_owned()));
    let segments: Vec<String> = decoded.collect();
    let mut operations: Vec<&Operation> = surface.operations.iter().collect();
    for (index, segment) in segments.iter().enumerate() {
        let has = |operation: &&Operation, wanted: &Segment| match (operation.segments.get(index), wanted) {
            (Some(Segment::Parameter(_)), Segment::Parameter(_)) => true,
            (here, wanted) => here == Some(wanted),
        };
        let literal = Segment::Literal(segment.clone());
        let parameter = Segment::Parameter(String::new());
        let is_literal = operations.iter().any(|operation| has(operation, &literal));
        let wanted = if is_literal { literal } else { parameter };
        let is_possible = is_literal || !segment.is_empty();
        operations.retain(|operation| is_possible && has(operation, &wanted));
    }
    operations.retain(|operation| operation.segments.len() == segments.len());
    match operations.iter().find(|operation| operation.method == method) {
        Some(operation) => Routed::To(surface, operation, segments),
        None if operations.is_empty() => Routed::Unknown,
        None => {
            let methods: Vec<&str> = operations.iter().map(|operation| operation.method.as_str()).collect();
            Routed::OtherMethod(methods.join(", "))
        }
    }
}

/// What the text about an unknown path ends with: the most similar path, with or without its base.
pub(crate) fn did_you_mean(model: &Model, path: &str) -> String {
    const LONGEST: usize = 100;
    let sent: Vec<&str> = path.split('/').skip(1).collect();
    let mut best: Option<((usize, usize), String)> = None;
    let mut paths: Vec<(&str, &str)> = Vec::new();
    for (surface, operation) in model.operations() {
        paths.push((&surface.base, &operation.route));
    }
    for (base, rest) in paths.into_iter().filter(|_| path.len() <= LONGEST) {
        let whole = format!("{base}{rest}");
        for pattern in [whole.as_str(), rest] {
            let mut candidate = String::new();
            for (index, declared) in pattern.split('/').skip(1).enumerate() {
                let same = sent
                    .get(index)
                    .filter(|same| declared.starts_with(':') && !same.is_empty());
                candidate += "/";
                candidate += same.unwrap_or(&declared);
            }
            let distance = strsim::damerau_levenshtein(path, &candidate);
            let longer = path.chars().count().max(candidate.chars().count());
            // A literal segment precedes a parameter here, too.
            let rank = (distance, whole.split("/:").count());
            if distance <= longer / 3 && best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, whole.clone()));
            }
        }
    }
    best.map_or_else(String::new, |(_, path)| format!(", did you mean `{path}`?"))
}
