//! The 47 prefectures and some of the municipalities in each.

use std::sync::LazyLock;

use super::dice::Dice;
use super::traits::Traits;

/// A prefecture as the demo knows it.
#[derive(Debug)]
pub(super) struct Prefecture {
    pub(super) name: &'static str,
    /// Its name as an English sentence has it.
    pub(super) english: &'static str,
    /// What an hour of work costs there, in percent of the country's middle.
    pub(super) price_percent: usize,
    /// What is true of everybody there.
    pub(super) traits: Traits,
    pub(super) cities: Vec<City>,
}

/// A municipality, or a ward of Tokyo.
#[derive(Debug)]
pub(super) struct City {
    pub(super) name: &'static str,
    pub(super) english: &'static str,
    /// Its inhabitants in ten thousands, rounded.
    pub(super) inhabitants: usize,
    /// Stations and neighbourhoods in it; at least two.
    pub(super) areas: Vec<&'static str>,
}

/// From north to south, in the order of their official numbers.
pub(super) static PREFECTURES: LazyLock<Vec<Prefecture>> = LazyLock::new(|| read(include_str!("words/places.txt")));

/// Below so many ten thousands a city is the country, from so many on it is a town with trains.
const COUNTRY_AND_TOWN: (usize, usize) = (15, 30);

impl Prefecture {
    /// Those of its inhabitants that live in its municipalities here, in ten thousands.
    pub(super) fn inhabitants(&self) -> usize {
        self.cities.iter().map(|city| city.inhabitants).sum()
    }

    /// One of its municipalities, each as often as it has inhabitants.
    pub(super) fn city(&self, dice: &mut Dice) -> &City {
        dice.weighted(&self.cities, |city| city.inhabitants)
    }

    /// What is true of who lives in `city`, which lies here.
    pub(super) fn traits_in(&self, city: &City) -> Traits {
        let (country, town) = COUNTRY_AND_TOWN;
        let in_tokyo = self.traits.have(Traits::named("tokyo"));
        self.traits
            | Traits::when(city.inhabitants < country && !in_tokyo, "country")
            | Traits::when(city.inhabitants >= town || in_tokyo, "town")
    }
}

fn read(text: &'static str) -> Vec<Prefecture> {
    let mut prefectures: Vec<Prefecture> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let mut word = || words.next().expect("a name, a name in English and a number");
        let (name, english, number) = (word(), word(), word());
        let number = number.parse().expect("a number");
        match prefectures.last_mut().filter(|_| line.starts_with(' ')) {
            Some(prefecture) => prefecture.cities.push(City {
                name,
                english,
                inhabitants: number,
                areas: words.collect(),
            }),
            None => prefectures.push(Prefecture {
                name,
                english,
                price_percent: number,
                traits: words.map(Traits::named).collect(),
                cities: Vec::new(),
            }),
        }
    }
    prefectures
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_47_of_several_cities_with_several_places_each() {
        assert_eq!(PREFECTURES.len(), 47);
        for prefecture in PREFECTURES.iter() {
            assert!(prefecture.cities.len() >= 4, "{prefecture:?}");
            for city in &prefecture.cities {
                let distinct: HashSet<_> = city.areas.iter().collect();
                assert!(distinct.len() >= 2 && distinct.len() == city.areas.len(), "{city:?}");
                assert!(city.name.ends_with(['市', '区']), "{city:?}");
                assert!(city.english.is_ascii(), "{city:?}");
            }
        }
    }

    #[test]
    fn a_city_lies_in_one_prefecture() {
        let cities = || PREFECTURES.iter().flat_map(|prefecture| &prefecture.cities);
        let distinct: HashSet<_> = cities().map(|city| city.name).collect();
        assert_eq!(distinct.len(), cities().count());
        assert!(distinct.len() > 300, "{}", distinct.len());
    }
}
