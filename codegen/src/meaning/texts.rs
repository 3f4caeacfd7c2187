//! `missing-text`, a warning: what the endpoints of a translated surface show without a text.

use crate::diagnostic::{Diagnostic, Rule, listed};
use crate::model::{
    Body, BodyUse, Data, Field, Kind, Language, Model, Operation, Owner, Surface, TextOf, Type, TypeRule,
};

/// The most missing texts that a warning names.
const MOST: usize = 12;

/// The warnings about texts that a language lacks: one for each surface that has a text in it.
pub(crate) fn missing(model: &Model) -> Vec<Diagnostic> {
    let pairs = model
        .languages
        .iter()
        .flat_map(|language| model.surfaces.iter().map(move |surface| (language, surface)));
    pairs
        .filter_map(|(language, surface)| of_surface(model, language, surface))
        .collect()
}

fn of_surface(model: &Model, language: &Language, surface: &Surface) -> Option<Diagnostic> {
    let own = language.first(&[TextOf::Surface(surface.name.clone())])?;
    let mut search = Search {
        model,
        language,
        missing: Vec::new(),
        seen: Vec::new(),
    };
    search.surface(surface);
    let missing: Vec<&str> = search.missing.iter().map(String::as_str).collect();
    let (first, all) = (&missing[..missing.len().min(MOST)], missing.len());
    if all == 0 {
        return None;
    }
    let more = if all > MOST {
        format!(", and {} more", all - MOST)
    } else {
        String::new()
    };
    let message = format!(
        "`{}` has a text in `{}`, but not all that it shows: {}{more}",
        surface.name,
        language.tag,
        listed(first)
    );
    let help = format!("write them in `texts.{}`", language.tag);
    Some(Diagnostic::new(Rule::MissingText, own.at, message).help(help))
}

struct Search<'m> {
    model: &'m Model,
    language: &'m Language,
    missing: Vec<String>,
    seen: Vec<&'m Kind>,
}

impl<'m> Search<'m> {
    fn need(&mut self, names: &[TextOf]) {
        if self.language.first(names).is_some() {
            return;
        }
        let name = names[0].path().join(".");
        if !self.missing.contains(&name) {
            self.missing.push(name);
        }
    }

    fn surface(&mut self, surface: &'m Surface) {
        if let Some(credential) = &surface.credential {
            self.need(&[TextOf::Credential(credential.clone())]);
        }
        for operation in &surface.operations {
            self.operation(surface, operation);
        }
    }

    fn operation(&mut self, surface: &'m Surface, operation: &'m Operation) {
        self.need(&[TextOf::operation(surface, operation)]);
        if operation.consequence.is_some() {
            self.need(&[TextOf::consequence(surface, operation)]);
        }
        let owner = Owner::Operation(&surface.name, &operation.name);
        // Pages are turned by buttons.
        let pages = operation
            .pages
            .iter()
            .flat_map(|pages| pages.named())
            .filter_map(|(_, name)| name);
        let pages: Vec<&str> = pages.collect();
        let parameters = operation.path.iter().chain(&operation.query);
        self.members(owner, parameters.filter(|field| !pages.contains(&field.name.as_str())));
        match &operation.body {
            Some(BodyUse::Named(name)) => self.body(Owner::Declaration(name), &self.model.input(name).body),
            Some(BodyUse::Inline(body)) => self.body(owner, body),
            None => {}
        }
        match &operation.data {
            Some(Data::One { resource, view } | Data::Many { resource, view }) => self.view(resource, view),
            Some(Data::Members(members)) => self.members(owner, members.iter()),
            Some(Data::Counts(_) | Data::Events) | None => {}
        }
    }

    fn body(&mut self, owner: Owner<'m>, body: &'m Body) {
        for member in &body.members {
            let of_record = body.resource.as_deref().filter(|_| member.of_record);
            self.members(of_record.map_or(owner, Owner::Declaration), [&member.field]);
        }
    }

    fn members(&mut self, owner: Owner<'m>, fields: impl IntoIterator<Item = &'m Field>) {
        for field in fields {
            self.need(&owner.names_of(&field.name));
            self.of(&field.of);
        }
    }

    fn view(&mut self, resource: &'m str, view: &'m str) {
        self.need(&[TextOf::Resource(resource.to_owned())]);
        for member in &self.model.view(resource, view).members {
            let owner = Owner::Declaration(resource);
            let [own, any] = owner.names_of(&member.shown);
            let [of_field, any_field] = owner.names_of(member.source.field());
            self.need(&[own, of_field, any, any_field]);
            self.of(&member.of);
        }
    }

    fn of(&mut self, of: &'m Type) {
        self.kind(&of.kind);
    }

    fn kind(&mut self, kind: &'m Kind) {
        if self.seen.contains(&kind) {
            return;
        }
        self.seen.push(kind);
        match kind {
            Kind::Enum(name) => {
                for value in &self.model.enumeration(name).values {
                    self.need(&self.model.value_names(name, value));
                }
            }
            Kind::Object(name) => self.members(Owner::Declaration(name), &self.model.object(name).members),
            Kind::Input(name) => self.body(Owner::Declaration(name), &self.model.input(name).body),
            Kind::View(resource, view) => self.view(resource, view),
            Kind::Id(resource) => self.need(&[TextOf::Resource(resource.clone())]),
            Kind::Named(name) => {
                if let TypeRule::List { of, .. } = &self.model.named_type(name).rule {
                    self.of(of);
                }
            }
            Kind::Stored
            | Kind::Secret
            | Kind::Boolean
            | Kind::Flag
            | Kind::Format(_)
            | Kind::Timestamp
            | Kind::Cursor
            | Kind::EventNames(_) => {}
        }
    }
}
