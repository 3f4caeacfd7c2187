//! The measured contract: any number of endpoints in the mix of a real service, for example a shop. Every 15 endpoints are a
//! group around three resources of their own, over three surfaces.
//!
//! The shared parts (envelope, errors, credentials, types) exist once for any number of endpoints.

/// The endpoints of a group.
pub(crate) const GROUP: usize = 15;

/// Nouns of such a service. The three resources of a group follow one another.
const NOUNS: [&str; 60] = [
    "order",
    "parcel",
    "refund",
    "invoice",
    "payment",
    "reminder",
    "shelf",
    "bin",
    "count",
    "campaign",
    "voucher",
    "mailing",
    "supplier",
    "delivery",
    "claim",
    "product",
    "variant",
    "review",
    "project",
    "task",
    "comment",
    "ticket",
    "solution",
    "rating",
    "course",
    "lesson",
    "exam",
    "vehicle",
    "trip",
    "repair",
    "building",
    "room",
    "booking",
    "contract",
    "clause",
    "signature",
    "employee",
    "shift",
    "absence",
    "patient",
    "visit",
    "referral",
    "farm",
    "field",
    "harvest",
    "museum",
    "exhibit",
    "loan",
    "team",
    "player",
    "transfer",
    "album",
    "song",
    "license",
    "recipe",
    "step",
    "tasting",
    "machine",
    "sensor",
    "alarm",
];

/// The names of a group's resources in the templates: `{p}` has the endpoints of an owner, `{c}` lies under it, `{l}` stands
/// alone. Capitals mean types, an `s` means paths.
pub(crate) struct Group {
    number: usize,
}

impl Group {
    /// The groups of this number of endpoints; the last one may be incomplete.
    pub(crate) fn for_endpoints(endpoints: usize) -> impl Iterator<Item = Self> + Clone {
        (0..endpoints.div_ceil(GROUP)).map(|number| Self { number })
    }

    /// The number of the group's endpoints if there are `of` endpoints in all.
    pub(crate) fn endpoints(&self, of: usize) -> usize {
        (of - self.number * GROUP).min(GROUP)
    }

    /// The template with the group's names.
    pub(crate) fn fill(&self, template: &str) -> String {
        let mut text = template.to_owned();
        for (place, [small, capital]) in [["{p}", "{P}"], ["{c}", "{C}"], ["{l}", "{L}"]].into_iter().enumerate() {
            let noun = NOUNS[self.number * 3 + place];
            text = text.replace(small, noun).replace(capital, &type_name(noun));
        }
        text
    }
}

fn type_name(noun: &str) -> String {
    let (first, rest) = noun.split_at(1);
    first.to_uppercase() + rest
}

/// A surface, and its endpoints of a group as indexes into [`ENDPOINTS`].
struct Surface {
    head: &'static str,
    places: std::ops::Range<usize>,
}

const SURFACES: [Surface; 3] = [
    Surface {
        head: "  customer:\n    base: /api/v1\n    credential: api_key\n    limits: [read, write]\n    endpoints:\n",
        places: 0..11,
    },
    Surface {
        head: "  visitor:\n    base: /open/v1\n    limits: []\n    endpoints:\n",
        places: 11..13,
    },
    Surface {
        head: "  staff:\n    base: /staff/v1\n    credential: staff_token\n    limits: []\n    endpoints:\n",
        places: 13..15,
    },
];

/// The text of a contract with this number of endpoints: from 15 to 300.
pub(crate) fn yaml(endpoints: usize) -> String {
    let mut text = HEAD.to_owned();
    for group in Group::for_endpoints(endpoints) {
        text += &group.fill(ENUMS);
    }
    text += "\nstates:\n";
    for group in Group::for_endpoints(endpoints) {
        text += &group.fill(STATES);
    }
    text += "\nresources:\n";
    text += ACCOUNT;
    for group in Group::for_endpoints(endpoints) {
        text += &group.fill(RESOURCES);
    }
    text += "\nsurfaces:\n";
    for surface in &SURFACES {
        text += surface.head;
        for group in Group::for_endpoints(endpoints) {
            let end = surface.places.end.min(group.endpoints(endpoints));
            for endpoint in ENDPOINTS.iter().take(end).skip(surface.places.start) {
                text += &group.fill(endpoint);
            }
        }
    }
    text
}

const HEAD: &str = r#"
api:
  name: scale
  title: Scale
  statuses: [200, 201, 400, 401, 403, 404, 405, 408, 413, 415, 429, 500, 503]
  body: { max_bytes: 65536, max_seconds: 10 }
  headers: { X-Request-Id: "{request_id}" }

envelope:
  success: { success: true, data: $data?, message: $message?, ...: $siblings }
  error: { success: false, error: $text }

decisions:
  offers: { gap: "who sees what is offered", choice: "everybody", at: resources.Account }

errors:
  no_route:      { status: 404, at: route, text: "no such endpoint" }
  no_method:     { status: 405, at: method, text: "use {allow}", headers: { Allow: "{allow}" } }
  no_credential: { status: 401, at: credential, text: "a valid {header} header is required" }
  suspended:     { status: 403, at: suspended, text: "this account is suspended" }
  rate:          { status: 429, at: limit, text: "try again in {seconds} s", headers: { Retry-After: "{seconds}" } }
  media_type:    { status: 415, at: media_type, text: "the body must be JSON" }
  too_large:     { status: 413, at: body_size, text: "at most {max_bytes} bytes" }
  too_slow:      { status: 408, at: body_time, text: "at most {max_seconds} s" }
  invalid:       { status: 400, at: decode, text: "{faults}" }
  plan:          { status: 403, at: plan, text: "the {plan} plan is required" }
  absent:        { status: 404, at: exists, text: "{noun} {id} not found" }
  not_owner:     { status: 403, at: owner, text: "only the owner of {noun} {id} may do this" }
  quota:         { status: 403, at: quota, text: "at most {max} {noun}" }
  move:          { status: 400, at: transition, text: "{noun} {id} is {from} and cannot become {to}" }
  closed:        { status: 400, at: rule, text: "{id} is closed" }
  unwritable:    { status: 503, at: write, text: "try again later", headers: { Retry-After: "30" } }
  internal:      { status: 500, at: internal, text: "internal error" }

limits:
  read:  { methods: [GET], rate: 100/min, per: caller }
  write: { methods: [POST, PATCH, DELETE], rate: 20/min, per: caller }

limit_headers:
  RateLimit: '"{limit}";r={remaining};t={seconds}'

quotas:
  open_requests: { max: 3, of: Refund, per: Account, noun: open requests }

credentials:
  api_key:     { header: X-API-Key, caller: Account, limited_by: Account, plan: plan, suspended: suspended, prefix: key_, random_chars: 40 }
  staff_token: { header: X-Staff-Token, prefix: stf_, random_chars: 40 }

types:
  name:        { string: { min: 1, max: 100 } }
  title:       { string: { min: 1, max: 200 } }
  long_text:   { string: { min: 1, max: 10000 } }
  slug:        { string: { min: 1, max: 64, chars: "a-z0-9_-" } }
  term:        { string: { min: 1 } }
  usd:         { number: { exclusive_min: 0, max: 10000000, decimals: 2 } }
  weight:      { number: { min: 0, max: 10000 } }
  bound:       { number: {} }
  score:       { number: { min: 0, max: 5, decimals: 2 } }
  count:       { integer: { min: 0 } }
  page_size:   { integer: { min: 1, max: 100 } }
  page_offset: { integer: { min: 0 } }
  tags:        { list: { of: slug, max: 30 } }

enums:
  Plan: [free, verified]
"#;

const ENUMS: &str = "  {P}Status: [open, in_progress, completed, cancelled]\n  {L}Kind: [small, large, other]\n";

const STATES: &str =
    "  {P}.status: { initial: open, transitions: { open: [in_progress, cancelled], in_progress: [completed] } }\n";

const ACCOUNT: &str = r#"
  Account:
    noun: account
    fields: { id: Account.id, name: name, plan: Plan, suspended: boolean = false }
"#;

const RESOURCES: &str = r#"
  {P}:
    noun: {p}
    owner: { Account: account_id }
    fields:
      id: {P}.id
      account_id: Account.id
      title: title
      description: long_text
      category: slug?
      price: usd
      weight: weight?
      is_remote: boolean = false
      deadline: date?
      tags: tags = []
      votes: count = 0
      status: {P}Status
      created_at: timestamp
    views:
      list: [id, title, category, price, is_remote, votes, status]
      detail: [id, title, description, category, price, weight, is_remote, deadline, tags, votes, status, created_at]

  {C}:
    noun: {c}
    fields:
      id: {C}.id
      {p}_id: {P}.id
      message: long_text
      rating: score = 0
      day: date?
      created_at: timestamp
    joined:
      {p}_title: title
    views:
      item: [id, {p}_id, {p}_title, message, rating, day, created_at]

  {L}:
    noun: {l}
    owner: { Account: account_id }
    private: true
    fields:
      id: {L}.id
      account_id: Account.id
      name: name
      kind: {L}Kind
      amount: usd?
      note: long_text?
      created_at: timestamp
    views:
      item: [id, name, kind, amount, created_at]
"#;

/// A group's endpoints, in the order of [`SURFACES`].
const ENDPOINTS: [&str; GROUP] = [
    r#"
      list_{p}s:
        doc: One's own, the dearest first.
        GET: /{p}s
        query:
          category: term?
          status: {P}Status?
          is_remote: flag?
          minPrice: bound?
          maxPrice: bound?
          limit: page_size = 20
          offset: page_offset = 0
        constraints: [minPrice <= maxPrice]
        filters: [$caller = account_id]
        sort: [price desc, id asc]
        success: { data: "[{P}.list]", siblings: [total, limit, offset] }
"#,
    r#"
      create_{p}:
        doc: Make one.
        POST: /{p}s
        body:
          resource: {P}
          required: [title, description, price]
          optional: [category, weight, is_remote, deadline, tags]
        success: { status: 201, data: { id: {P}.id }, message: Created }
"#,
    r#"
      get_{p}:
        doc: One of one's own, whole.
        GET: /{p}s/:id
        path: { id: {P}.id }
        guards: [exists {P}, owner {P}]
        success: { data: {P}.detail }
"#,
    r#"
      update_{p}:
        doc: Change one.
        PATCH: /{p}s/:id
        path: { id: {P}.id }
        body: { resource: {P}, at_least_one_of: [title, description, category, price, deadline] }
        guards: [exists {P}, owner {P}]
        success: { message: Updated }
"#,
    r#"
      move_{p}:
        doc: Move one to another status.
        PATCH: /{p}s/:id/status
        path: { id: {P}.id }
        body: { members: { status: {P}Status } }
        guards: [exists {P}, owner {P}]
        transitions: {P}.status
        success: { message: Moved }
"#,
    r#"
      delete_{p}:
        doc: Remove one.
        DELETE: /{p}s/:id
        path: { id: {P}.id }
        guards: [exists {P}, owner {P}]
        success: { message: Removed }
"#,
    r#"
      list_{c}s:
        doc: What lies under one.
        GET: /{p}s/:id/{c}s
        path: { id: {P}.id }
        query: { limit: page_size = 20, offset: page_offset = 0 }
        guards: [exists {P}, owner {P}]
        filters: [id = {p}_id]
        sort: [created_at desc]
        success: { data: "[{C}.item]", siblings: [total] }
"#,
    r#"
      create_{c}:
        doc: Put something under one.
        POST: /{p}s/:id/{c}s
        path: { id: {P}.id }
        body: { members: { message: long_text, rating: score?, day: date? } }
        guards: [exists {P}, owner {P}]
        errors: [closed]
        success: { status: 201, data: { id: {C}.id }, message: Created }
"#,
    r#"
      get_{c}:
        doc: One that lies under another.
        GET: /{p}s/:id/{c}s/:innerId
        path: { id: {P}.id, innerId: {C}.id }
        guards: [exists {P}, exists {C} in {P}, owner {P}]
        success: { data: {C}.item }
"#,
    r#"
      list_{l}s:
        doc: One's own.
        GET: /{l}s
        query: { limit: page_size = 20 }
        filters: [$caller = account_id]
        sort: [id asc]
        success: { data: "[{L}.item]" }
"#,
    r#"
      create_{l}:
        doc: Make one.
        POST: /{l}s
        body: { resource: {L}, required: [name, kind], optional: [amount, note] }
        guards: [plan verified]
        quota: open_requests
        success: { status: 201, data: { id: {L}.id }, message: Created }
"#,
    r#"
      list_{p}s:
        doc: All of them.
        GET: /{p}s
        query: { category: term?, is_remote: flag?, limit: page_size = 20, offset: page_offset = 0 }
        open: offers
        sort: [id desc]
        success: { data: "[{P}.list]", siblings: [total] }
"#,
    r#"
      get_{p}:
        doc: One of them.
        GET: /{p}s/:id
        path: { id: {P}.id }
        guards: [exists {P}]
        open: offers
        success: { data: {P}.detail }
"#,
    r#"
      list_{l}s:
        doc: Everybody's.
        GET: /{l}s
        query: { kind: {L}Kind?, limit: page_size = 20, offset: page_offset = 0 }
        sort: [id asc]
        success: { data: "[{L}.item]", siblings: [total] }
"#,
    r#"
      update_{l}:
        doc: Change one.
        PATCH: /{l}s/:id
        path: { id: {L}.id }
        body: { resource: {L}, at_least_one_of: [name, kind, amount, note] }
        guards: [exists {L}]
        success: { message: Updated }
"#,
];
