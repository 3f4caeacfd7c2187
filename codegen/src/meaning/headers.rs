//! Resolves the headers of successes: where each value comes from, and whether it can be the value of a header.

use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::model::{Data, Field, HeaderPart, Kind, Model, Operation, ResponseHeader, Segment, Surface, TOTAL, Type};
use crate::syntax::{self, Endpoint, Spec, Word};

const LOCATION: &str = "Location";

/// Runs on operations that are otherwise resolved.
pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    for (surface, (_, declared)) in spec.surfaces.iter().enumerate() {
        for (place, (_, endpoint)) in declared.endpoints.iter().enumerate() {
            let subject = Subject {
                model,
                surface: &model.surfaces[surface],
                operation: &model.surfaces[surface].operations[place],
            };
            let headers = subject.headers(declared, endpoint, diagnostics);
            model.surfaces[surface].operations[place].headers = headers;
        }
    }
}

struct Subject<'m> {
    model: &'m Model,
    surface: &'m Surface,
    operation: &'m Operation,
}

impl Subject<'_> {
    fn headers(
        &self,
        surface: &syntax::Surface,
        endpoint: &Endpoint,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<ResponseHeader> {
        let success = &endpoint.success;
        let location = success.location.as_ref().map(|target| {
            let parts = self.path_of(surface, target, diagnostics)?;
            Ok(ResponseHeader {
                name: LOCATION.to_owned(),
                parts,
                leads_to: Some(target.text.clone()),
                at: target.at,
            })
        });
        let own = success.headers.iter().map(|(name, member)| {
            Ok(ResponseHeader {
                name: name.text.clone(),
                parts: vec![self.value_of(member, &*diagnostics)?],
                leads_to: None,
                at: name.at,
            })
        });
        let all: Vec<Result<ResponseHeader, Box<Diagnostic>>> = own.collect();
        let all: Vec<_> = location.into_iter().chain(all).collect();
        let mut headers = Vec::new();
        for header in all {
            match header {
                Ok(header) => headers.push(header),
                Err(diagnostic) => diagnostics.push(*diagnostic),
            }
        }
        headers
    }

    /// The members of `data` that a header can show: of one record, or of an object.
    fn members(&self) -> Vec<(&str, &Type)> {
        match &self.operation.data {
            Some(data @ (Data::One { .. } | Data::Members(_))) => self.model.data_members(data),
            _ => Vec::new(),
        }
    }

    /// The value that this word names.
    fn value_of(&self, named: &Word, known: &[Diagnostic]) -> Result<HeaderPart, Box<Diagnostic>> {
        let diagnostic = |message: String| Diagnostic::new(Rule::ResponseHeader, named.at, message);
        let is_list = matches!(self.operation.data, Some(Data::Many { .. }));
        let members = self.members();
        let found = members.iter().find(|(name, _)| *name == named.text);
        match found {
            Some((name, of)) if self.model.fits_header(of) => Ok(HeaderPart::Member((*name).to_owned(), (*of).clone())),
            Some((name, _)) => {
                let message = format!(
                    "`{name}` can have values that no header can have: line breaks, other characters than \
                     visible ASCII, or several"
                );
                let help =
                    "use an id, a number, a boolean, a time, a format, an enum, or a text with such `chars` only";
                Err(Box::new(diagnostic(message).help(help)))
            }
            None if named.text == TOTAL && is_list => Ok(HeaderPart::Total),
            None if is_list => {
                let message = "a list has no values of its own for a header, but `total`, the number of its records";
                Err(Box::new(diagnostic(message.to_owned())))
            }
            None => {
                let message = format!("`{}` is no member of `data`", named.text);
                let known = while_few(known, members.iter().map(|(name, _)| *name));
                Err(Box::new(diagnostic(message).propose(&named.text, known)))
            }
        }
    }

    /// The path of an operation of the surface, with the ids that the success or the request has.
    fn path_of(
        &self,
        surface: &syntax::Surface,
        target: &Word,
        diagnostics: &[Diagnostic],
    ) -> Result<Vec<HeaderPart>, Box<Diagnostic>> {
        let diagnostic = |message: String| Diagnostic::new(Rule::ResponseHeader, target.at, message);
        let mut operations = self.surface.operations.iter();
        let Some(leads_to) = operations.find(|one| one.name == target.text) else {
            let known = while_few(
                diagnostics,
                surface.endpoints.iter().map(|(name, _)| name.text.as_str()),
            );
            let message = format!("there is no endpoint `{}` in this surface", target.text);
            return Err(Box::new(diagnostic(message).propose(&target.text, known)));
        };
        if leads_to.method != "GET" {
            let message = format!("`{}` is no GET: nothing can be read at its path", target.text);
            return Err(Box::new(diagnostic(message)));
        }
        let mut parts = vec![HeaderPart::Text(self.surface.base.clone())];
        for segment in &leads_to.segments {
            match segment {
                Segment::Literal(text) => add(&mut parts, &format!("/{text}")),
                Segment::Parameter(name) => {
                    add(&mut parts, "/");
                    let wanted = leads_to.path.iter().find(|field| field.name == *name);
                    let wanted = wanted.expect("checked: each parameter has a type");
                    let part = self.id_of(wanted).ok_or_else(|| {
                        let message =
                            format!("neither `data` nor the path of the request has an id for `{name}` of its path");
                        Box::new(diagnostic(message).related(leads_to.at, "its path is declared here"))
                    })?;
                    parts.push(part);
                }
            }
        }
        Ok(parts)
    }

    /// The id for a parameter: of the record that the success shows, else of the path of the request.
    fn id_of(&self, wanted: &Field) -> Option<HeaderPart> {
        let is_it = |of: &Type| of.kind == wanted.of.kind && !of.list && !of.optional;
        let mut members = self.members().into_iter();
        let in_data = match &self.operation.data {
            // Other ids of the same kind are those of other records.
            Some(Data::One { resource, view }) if wanted.of.kind == Kind::Id(resource.clone()) => {
                let own = self.model.view(resource, view).member_of("id");
                own.map(|member| (member.shown.as_str(), &member.of))
            }
            _ => members.find(|(_, of)| is_it(of)),
        };
        let in_data = in_data.map(|(name, of)| HeaderPart::Member(name.to_owned(), of.clone()));
        let mut parameters = self.operation.path.iter();
        in_data.or_else(|| {
            let found = parameters.find(|field| is_it(&field.of))?;
            Some(HeaderPart::Parameter(found.name.clone()))
        })
    }
}

/// Adds a text to the last one.
fn add(parts: &mut Vec<HeaderPart>, more: &str) {
    match parts.last_mut() {
        Some(HeaderPart::Text(text)) => text.push_str(more),
        _ => parts.push(HeaderPart::Text(more.to_owned())),
    }
}
