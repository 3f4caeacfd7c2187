//! What the demo's workers can do: the skills, each in its category.

/// Category, and the skills in it.
pub(super) const CATEGORIES: [(&str, &[&str]); 12] = [
    (
        "Photo and video",
        &[
            "Photography",
            "Event photography",
            "Portrait photography",
            "Product photography",
            "Real estate photography",
            "Photo retouching",
            "Video editing",
            "Videography",
            "Subtitling",
            "Drone filming",
        ],
    ),
    (
        "Errands",
        &[
            "Shopping",
            "Parcel pickup",
            "Queueing",
            "Key handover",
            "City office errands",
            "House watching",
            "Lost property search",
            "Gift delivery",
            "Grave visits",
        ],
    ),
    (
        "Transport",
        &[
            "Driving",
            "Bicycle courier",
            "Motorcycle courier",
            "Moving help",
            "Light truck hauling",
        ],
    ),
    (
        "Languages",
        &[
            "English interpreting",
            "English translation",
            "Chinese interpreting",
            "Chinese translation",
            "Korean interpreting",
            "Vietnamese interpreting",
            "Spanish interpreting",
            "French translation",
            "Sign language",
        ],
    ),
    (
        "Writing",
        &["Proofreading", "Copywriting", "Transcription", "Storytelling"],
    ),
    (
        "Field research",
        &[
            "Store visits",
            "Price survey",
            "Mystery shopping",
            "Site inspection",
            "Street interviews",
            "Data collection",
            "Traffic counting",
        ],
    ),
    (
        "Home",
        &[
            "Cleaning",
            "Cooking",
            "Laundry and ironing",
            "Furniture assembly",
            "Gardening",
            "Minor repairs",
            "Snow clearing",
            "Decluttering",
            "Sewing and mending",
        ],
    ),
    (
        "Care",
        &[
            "Babysitting",
            "Companionship",
            "Hospital escort",
            "Dog walking",
            "Cat sitting",
            "Pet care visits",
            "Hair and make-up",
        ],
    ),
    (
        "Technology",
        &[
            "Computer setup",
            "Device testing",
            "Wi-Fi installation",
            "Remote hands",
            "3D printing",
            "Soldering",
            "Web design",
            "Spreadsheets",
        ],
    ),
    (
        "Events",
        &[
            "Event staff",
            "Reception",
            "Master of ceremonies",
            "Bartending",
            "Narration",
            "Music performance",
        ],
    ),
    (
        "Culture",
        &[
            "Calligraphy",
            "Tea ceremony",
            "Kimono dressing",
            "Flower arrangement",
            "Local guiding",
            "Illustration",
        ],
    ),
    (
        "Paperwork and lessons",
        &[
            "Form filling",
            "Bookkeeping",
            "Mail scanning",
            "Data entry",
            "Phone calls",
            "Research",
            "Japanese lessons",
            "Tutoring",
            "Computer lessons",
            "Music lessons",
            "Cooking lessons",
            "Yoga lessons",
            "Sports coaching",
        ],
    ),
];

/// What anybody may do beside what they are there for.
pub(super) const SIDELINES: [&str; 12] = [
    "Shopping",
    "Parcel pickup",
    "Photography",
    "Store visits",
    "Data entry",
    "Queueing",
    "Phone calls",
    "House watching",
    "Spreadsheets",
    "Research",
    "Gift delivery",
    "Device testing",
];

/// The category of a skill that stands in [`CATEGORIES`].
pub(super) fn category_of(skill: &str) -> &'static str {
    CATEGORIES
        .iter()
        .find(|(_, skills)| skills.contains(&skill))
        .map(|(category, _)| *category)
        .expect("every skill that a calling names stands in a category")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_skill_is_in_one_category() {
        let skills = || CATEGORIES.iter().flat_map(|(_, skills)| skills.iter());
        assert_eq!(skills().collect::<HashSet<_>>().len(), skills().count());
    }
}
