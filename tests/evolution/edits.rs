//! The edits: a text that occurs once in `api.yaml`, and its replacement.

/// One change of the contract, with all its places.
pub(crate) type Edit = &'static [(&'static str, &'static str)];

pub(crate) const READ_LIMIT: Edit = &[("rate: 100/min", "rate: 7/min")];

pub(crate) const KEY_QUOTA: Edit = &[("active_keys: { max: 3,", "active_keys: { max: 2,")];

pub(crate) const TITLE_BOUND: Edit = &[(
    "title:        { string: { min: 1, max: 200,",
    "title:        { string: { min: 1, max: 50,",
)];

pub(crate) const TEXT_AND_STATUS: Edit = &[
    ("403, 404, 405, 408, 409, 413", "403, 404, 405, 408, 409, 410, 413"),
    (
        r#"{ status: 400, at: rule, when: Bounty.status is not open, text: "bounty {id} is not open, only open bounties take applications","#,
        r#"{ status: 410, at: rule, when: Bounty.status is not open, text: "too late for bounty {id}","#,
    ),
];

pub(crate) const RATE_BEFORE_SUSPENDED: Edit = &[
    (
        r#"  suspended:       { status: 403, at: suspended, text: "this account is suspended",
                     help: "Ask the operator to end the suspension." }
"#,
        "",
    ),
    (
        "  in_flight:       { status: 429,",
        r#"  suspended:       { status: 403, at: suspended, text: "this account is suspended",
                     help: "Ask the operator to end the suspension." }
  in_flight:       { status: 429,"#,
    ),
];

pub(crate) const CODE_MEMBER: Edit = &[(
    "error: { success: false, error: $text }",
    "error: { success: false, code: $code, error: $text }",
)];

pub(crate) const BASE_PATH: Edit = &[("base: /api/v1", "base: /agents/v2")];

pub(crate) const VIEW_WITHOUT_FIELD: Edit = &[(
    "list: [id, name, headline, city, state, hourly_rate,",
    "list: [id, name, city, state, hourly_rate,",
)];

/// Fewer transitions. The operator cannot set the status beside them any more.
pub(crate) const MOVES: Edit = &[
    (
        "Bounty.status: { initial: open, transitions: any }",
        "Bounty.status: { initial: open, transitions: { open: [in_progress], in_progress: [open, completed], cancelled: [] } }",
    ),
    (
        "at_least_one_of: [status, locked, hidden]",
        "at_least_one_of: [locked, hidden]",
    ),
    (
        "example: { status: cancelled, locked: true }",
        "example: { locked: true }",
    ),
    ("when: status is cancelled", "when: hidden is true"),
];

/// Adds a value and removes another.
pub(crate) const OTHER_ENUM_VALUE: Edit = &[
    ("    - other -- Neither, or not stated.\n", "    - unstated\n"),
    ("other: その他・無回答 }", "unstated: その他・無回答 }"),
];

/// Removes the field, its type, and the decision on it.
pub(crate) const NO_FIELD: Edit = &[
    (
        "      estimated_hours: hours? -- The estimated duration of the work in hours, such as `1.5`.\n",
        "",
    ),
    (
        "is_remote, deadline, estimated_hours, required_skills]",
        "is_remote, deadline, required_skills]",
    ),
    (
        "deadline, estimated_hours, applications_count",
        "deadline, applications_count",
    ),
    (
        "required_skills, deadline, estimated_hours, status",
        "required_skills, deadline, status",
    ),
    (
        "required_skills, deadline, estimated_hours]",
        "required_skills, deadline]",
    ),
    (
        "  hours:        { number: { exclusive_min: 0, max: 10000 }, unit: hours, doc: A duration in hours. }\n",
        "",
    ),
    ("      estimated_hours: 時間の目安\n", ""),
    (
        "  hours:               { gap: \"§2 range of estimated_hours\", choice: \"above 0, at most 10,000\", at: types.hours }\n",
        "",
    ),
];

/// Removes the guard, the error response that is then unused, and the decision on it.
pub(crate) const NO_PLAN_GUARD: Edit = &[
    ("        guards: [plan verified]\n", ""),
    (
        r#"  plan:            { status: 403, at: plan, text: "the {plan} plan is required",
                     help: "Ask the operator for the plan that the text names." }
"#,
        "",
    ),
    (
        "  key-plan:            { gap: \"§7 a key without the verified plan\", choice: \"403\", at: errors.plan.status }\n",
        "",
    ),
];

/// With a filter of its own in the list of agents, and one that words are searched in.
pub(crate) const NEW_FIELD: Edit = &[
    (
        "      deadline: date? -- ",
        "      dress_code: place?\n      deadline: date? -- ",
    ),
    (
        "          location: term? -- A part of the place of the work as the bounty's owner wrote it, such as `京都`.\n",
        "          location: term? -- A part of the place of the work as the bounty's owner wrote it, such as `京都`.\n          dress_code: term?\n",
    ),
    (
        "is_remote implies is_remote, location within location]",
        "is_remote implies is_remote, location within location, dress_code within dress_code]",
    ),
    (
        "title | category | location",
        "title | dress_code | category | location",
    ),
    (
        "optional: [category, location, is_remote,",
        "optional: [dress_code, category, location, is_remote,",
    ),
    (
        "status, required_skills, deadline]\n\n",
        "status, required_skills, deadline, dress_code]\n\n",
    ),
];

pub(crate) const NEW_FIELD_WITH_DEFAULT: Edit = &[
    (
        "      upvotes: count = count Vote",
        "      priority: count = 1\n      upvotes: count = count Vote",
    ),
    (
        "status, required_skills, deadline,",
        "status, priority, required_skills, deadline,",
    ),
];

pub(crate) const NEW_FIELD_OF_WORKERS: Edit = &[
    ("      bio: bio -- ", "      nickname: name?\n      bio: bio -- "),
    ("skills, bio, total_reviews,", "skills, bio, nickname, total_reviews,"),
];

/// Members of the objects in a list field of workers.
pub(crate) const NEW_MEMBERS_OF_SKILLS: Edit = &[(
    "such as `Home`.\n  NewSkill:\n",
    "such as `Home`.\n    level: count = 1\n    since: date?\n  NewSkill:\n",
)];

/// A resource with two operations.
pub(crate) const NEW_RESOURCE: Edit = &[
    (
        "  OfferedSkill:\n    noun: skill",
        r#"  Remark:
    noun: remark
    doc: What an account says of a worker's work on a bounty.
    owner: { Account: account_id }
    fields:
      id: Remark.id
      account_id: Account.id
      bounty_id: Bounty.id -- The bounty.
      human_id: Human.id -- The worker.
      rating: score -- The rating in stars, such as `4`.
      comment: long_text -- What the account says, such as `On time`.
      created_at: timestamp = now -- When it was written, in UTC.
    views:
      item: [id, bounty_id, human_id, rating, comment, created_at]

  OfferedSkill:
    noun: skill"#,
    ),
    (
        "      list_applications:\n        doc: List the applications to a bounty",
        r#"      list_remarks:
        doc: List the remarks of a bounty of yours.
        GET: /bounties/:id/remarks
        path: { id: Bounty.id }
        query: { limit: page_size = 20, offset: page_offset = 0 }
        guards: [exists Bounty, owner Bounty]
        filters: [id = bounty_id]
        pages: { size: limit, offset: offset, total: total }
        sort: [id desc]
        success: { data: "[Remark.item]", siblings: [total] }

      create_remark:
        doc: Write what you think of a worker's work on a bounty of yours.
        POST: /bounties/:id/remarks
        path: { id: Bounty.id }
        body: { resource: Remark, required: [rating, comment], members: { human_id: Human.id -- The worker. } }
        guards: [exists Bounty, exists Human, owner Bounty]
        makes: Remark
        event: none
        success: { status: 201, data: { id: Remark.id }, message: Remark created }

      list_applications:
        doc: List the applications to a bounty"#,
    ),
];

/// A type, a view, a status and a guard that do not fit.
pub(crate) const MISTAKES: Edit = &[
    ("      deadline: date? -- ", "      deadline: dat? -- "),
    (
        "item: [id, sender_type, content, created_at]",
        "item: [id, sender_type, contents, created_at]",
    ),
    ("suspended:       { status: 403,", "suspended:       { status: 402,"),
    ("guards: [plan verified]", "guards: [plan golden]"),
];
