//! The known name that a mistyped one was probably meant to be.

/// The name among `known` that is nearest to `name`, when it is near at all. Case and `_` weigh nothing.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 100;
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let wanted = plain(name);
    known
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| {
            let candidate_plain = plain(candidate);
            let length = wanted.chars().count().max(candidate_plain.chars().count());
            let distance = strsim::damerau_levenshtein(&wanted, &candidate_plain);
            (distance, length, candidate)
        })
        .filter(|(distance, length, _)| distance * 3 <= *length)
        .min_by_key(|(distance, ..)| *distance)
        .map(|(.., candidate)| candidate)
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}
