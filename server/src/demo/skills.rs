//! What the demo's workers can do: the skills, each in its category.

/// Category, and the skills in it, the commoner ones first.
pub(super) const CATEGORIES: [(&str, &[&str]); 11] = [
    (
        "Photo and video",
        &[
            "Photography",
            "Event photography",
            "Product photography",
            "Video editing",
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
        ],
    ),
    (
        "Transport",
        &["Driving", "Bicycle courier", "Moving help", "Light truck hauling"],
    ),
    (
        "Languages",
        &[
            "English interpreting",
            "English translation",
            "Chinese interpreting",
            "Korean interpreting",
            "Proofreading",
            "Sign language",
        ],
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
        ],
    ),
    (
        "Home",
        &[
            "Cleaning",
            "Cooking",
            "Furniture assembly",
            "Gardening",
            "Minor repairs",
            "Snow clearing",
        ],
    ),
    ("Care", &["Babysitting", "Companionship", "Dog walking", "Cat sitting"]),
    (
        "Technology",
        &[
            "Computer setup",
            "Device testing",
            "Wi-Fi installation",
            "Remote hands",
            "3D printing",
        ],
    ),
    (
        "Events",
        &["Event staff", "Reception", "Master of ceremonies", "Bartending"],
    ),
    (
        "Culture",
        &[
            "Calligraphy",
            "Tea ceremony",
            "Kimono dressing",
            "Local guiding",
            "Music performance",
        ],
    ),
    (
        "Paperwork and lessons",
        &[
            "Japanese lessons",
            "Tutoring",
            "Form filling",
            "Bookkeeping",
            "Mail scanning",
        ],
    ),
];

/// The category of a skill that stands in [`CATEGORIES`].
pub(super) fn category_of(skill: &str) -> &'static str {
    CATEGORIES
        .iter()
        .find(|(_, skills)| skills.contains(&skill))
        .map(|(category, _)| *category)
        .expect("every skill that a calling names stands in a category")
}
