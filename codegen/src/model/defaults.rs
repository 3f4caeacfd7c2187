//! Defaults, as JSON.

use super::{Kind, Model, Type, TypeRule};
use crate::json::{Json, number};

impl Model {
    /// The default of a value of this type, as JSON.
    pub fn default_json(&self, of: &Type) -> Option<String> {
        self.default_of(of).map(|json| json.compact())
    }

    /// The default of this type as JSON. `None` if it has none.
    pub(crate) fn default_of(&self, of: &Type) -> Option<Json> {
        let written = of.default.as_deref()?;
        let default = match &of.kind {
            _ if of.list => Json::List(Vec::new()),
            Kind::Named(name) => match self.named_type(name).rule {
                TypeRule::Text { .. } => written.into(),
                TypeRule::Number { .. } => number(written.parse().expect("checked: the default is a number")),
                TypeRule::Integer { .. } => {
                    let value: i64 = written.parse().expect("checked: the default is a whole number");
                    value.into()
                }
                TypeRule::List { .. } => Json::List(Vec::new()),
                TypeRule::FreeForm { .. } => return None,
            },
            Kind::Boolean | Kind::Flag => Json::Plain(written.to_owned()),
            _ => written.into(),
        };
        Some(default)
    }
}
