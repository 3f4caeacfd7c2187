//! Values with the number of records that have them.

use std::collections::HashMap;

/// The values with their numbers: the most frequent first, then by code points, and at most `max`. Values whose texts have one
/// form are one, in the spelling that comes first by code points.
pub fn most_frequent<T>(
    counts: impl IntoIterator<Item = (T, u64)>,
    max: usize,
    text: impl Fn(&T) -> &str,
    form: impl Fn(&str) -> String,
) -> Vec<(T, u64)> {
    let mut all: HashMap<String, (T, u64)> = HashMap::new();
    for (value, count) in counts {
        match all.entry(form(text(&value))) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert((value, count));
            }
            std::collections::hash_map::Entry::Occupied(mut taken) => {
                let (first, sum) = taken.get_mut();
                *sum += count;
                if text(&value) < text(first) {
                    *first = value;
                }
            }
        }
    }
    let mut all: Vec<(T, u64)> = all.into_values().collect();
    all.sort_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| text(a).cmp(text(b))));
    all.truncate(max);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    #[test]
    fn spellings_are_one_value_and_ties_go_by_code_points() {
        let counts = [
            ("b", 1),
            ("Ｅrrand", 2),
            ("a", 1),
            ("Errand", 1),
            ("zoo", 9),
            ("errand", 3),
        ];
        let all = most_frequent(counts, 3, |text| text, fold);
        assert_eq!(all, [("zoo", 9), ("Errand", 6), ("a", 1)]);
    }
}
