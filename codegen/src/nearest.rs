//! Finds the known name that is most similar to a mistyped one.

/// The most similar name in `known`, if it is similar enough. Case and `_` do not count.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 100;
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let wanted = plain(name);
    let length = wanted.chars().count();
    known
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .filter_map(|candidate| {
            let plain = plain(candidate);
            let other = plain.chars().count();
            let is_near = |distance: &usize| distance * 3 <= length.max(other);
            // Skips names whose lengths differ too much: a contract with many misspellings needs many comparisons.
            let distance = Some(length.abs_diff(other)).filter(is_near);
            let distance = distance
                .map(|_| strsim::osa_distance(&wanted, &plain))
                .filter(is_near)?;
            Some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}
