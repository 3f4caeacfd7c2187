//! Mutants of a contract: servers with one defect, which random calls and probes must notice. The server is the interpreter: it
//! serves a model with one edit, or a layer before it does something wrong that no edit expresses.
//!
//! ```text
//! Model ─▶ Mutants (operations, bodies, whole, layer) ─▶ Mutant ─▶ Mock ◀─ probes, random calls
//! ```

mod bodies;
mod layer;
mod neighbours;
mod operations;
mod run;
mod whole;

pub use run::{MutantRun, Survivor};

use codegen::Model;
use codegen::model::Operation;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A mutant.
pub(crate) struct Mutant {
    /// Its kind, the same for all places.
    pub(crate) kind: &'static str,
    /// `surface::operation`; empty if it concerns several.
    pub(crate) operation: String,
    /// What is wrong there.
    place: String,
    way: Way,
}

/// The defect.
enum Way {
    /// The interpreter serves another model.
    Model(Box<dyn Fn(&mut Model) + Send + Sync>),
    /// A layer sends other requests, or answers in another way; and whether it has done so.
    Layer(Box<layer::Wrong>, Arc<AtomicBool>),
}

impl Mutant {
    /// Whether it was called as the right server would be, and answered as that does: its calls have nothing to change.
    fn is_idle(&self) -> bool {
        matches!(&self.way, Way::Layer(_, has_changed) if !has_changed.load(Ordering::Relaxed))
    }

    /// Its name, which selects it for a run: `agent::list_humans / order reversed / rating`.
    fn name(&self) -> String {
        let operation = Some(self.operation.as_str()).filter(|name| !name.is_empty());
        format!("{} / {} / {}", operation.unwrap_or("all"), self.kind, self.place)
    }
}

/// Collects the mutants of a contract.
struct Mutants<'m> {
    model: &'m Model,
    /// The operation whose mutants are made; empty for what concerns several.
    operation: String,
    /// The places of its surface and of itself.
    at: (usize, usize),
    /// How many layers could be tried so far.
    layers: usize,
    all: Vec<Mutant>,
}

/// All mutants of a contract.
fn mutants(model: &'static Model) -> Vec<Mutant> {
    let mut mutants = Mutants {
        model,
        operation: String::new(),
        at: (0, 0),
        layers: 0,
        all: Vec::new(),
    };
    for (s, surface) in model.surfaces.iter().enumerate() {
        for (o, operation) in surface.operations.iter().enumerate() {
            mutants.at = (s, o);
            mutants.operation = surface.full_name(operation);
            mutants.guards(operation);
            mutants.lists(operation);
            mutants.effects(operation);
            mutants.body(operation);
            mutants.parameters(operation);
            mutants.answers(operation);
            mutants.layers(surface, operation);
        }
    }
    mutants.operation.clear();
    mutants.whole();
    mutants.all
}

impl Mutants<'_> {
    /// Adds a mutant with this defect.
    fn push(&mut self, kind: &'static str, place: impl Into<String>, way: Way) {
        self.all.push(Mutant {
            kind,
            operation: self.operation.clone(),
            place: place.into(),
            way,
        });
    }

    /// Adds a mutant of the model.
    fn whole_model(
        &mut self,
        kind: &'static str,
        place: impl Into<String>,
        edit: impl Fn(&mut Model) + Send + Sync + 'static,
    ) {
        self.push(kind, place, Way::Model(Box::new(edit)));
    }

    /// Adds a mutant of the present operation.
    fn add(
        &mut self,
        kind: &'static str,
        place: impl Into<String>,
        edit: impl Fn(&mut Operation) + Send + Sync + 'static,
    ) {
        let (s, o) = self.at;
        self.whole_model(kind, place, move |model| {
            edit(&mut model.surfaces[s].operations[o]);
        });
    }
}
