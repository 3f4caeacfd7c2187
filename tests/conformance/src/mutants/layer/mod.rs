//! The layer between suite and server: a world around another one, with one defect.
//!
//! It passes all requests but those of the mutant. For these it asks the inner world: whether it would reject a
//! request, with which error, and what it answers to another request.

mod envelope;
mod registry;
mod request;
mod shadows;
mod world;

pub(crate) use envelope::{body_json, is_success, with_json};
pub(crate) use registry::Registry;
pub(crate) use request::{
    called, headers, id_of, idempotency_keys, json_of, parameters, with_json_body, with_parameter,
};

use crate::attempt::Attempt;
use crate::contract::{Contract, Operation};
use crate::mutants::Mutant;
use crate::world::{Request, Response, World};
use codegen::model::ErrorEntry;
use codegen::step::Step;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The defect: the answer in place of the right one.
pub(crate) type Wrong = Box<dyn Fn(&Call<'_>) -> Response + Send + Sync>;

/// Whether the resources and callers of the suite have twins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shadows {
    /// There are no twins.
    None,
    /// Every request to change an original is also made for its twin.
    Whole,
    /// The same, except for what makes this step reject.
    Without(Step),
    /// The same, except for what makes this business rule reject.
    WithoutRule(&'static str),
}

/// A world with one defect.
pub(crate) struct Layer(Arc<Inside>);

/// The state of the layer.
pub(crate) struct Inside {
    pub(crate) world: &'static dyn World,
    pub(crate) contract: &'static Contract,
    mutant: Option<Arc<Mutant>>,
    donors: Arc<Donors>,
    pub(crate) registry: Registry,
    touched: Arc<AtomicUsize>,
    /// Requests of the operation in progress.
    pub(crate) under_way: AtomicUsize,
    /// Numbers that the mutant stores, under names of its own.
    counts: Mutex<HashMap<String, i64>>,
    texts: Mutex<HashMap<String, String>>,
}

/// Answers to accepted requests, by operation: a mutant may give them to any other request.
pub(crate) type Donors = Mutex<HashMap<&'static str, Response>>;

/// A request on its way to the inner world.
pub(crate) struct Call<'c> {
    pub(crate) layer: &'c Inside,
    pub(crate) request: &'c Request,
    /// The operation under test.
    pub(crate) operation: &'static Operation,
    /// The operation that this request calls.
    pub(crate) called: Option<&'static Operation>,
    /// The time of the limits' clock, and the identity of these limits.
    pub(crate) limited: Option<(u64, usize)>,
    /// Whether its body is held while something changes.
    pub(crate) is_held: bool,
    send: &'c dyn Fn(&Request) -> Response,
}

impl Layer {
    pub(crate) fn new(
        world: &'static dyn World,
        contract: &'static Contract,
        mutant: Option<Arc<Mutant>>,
        donors: Arc<Donors>,
    ) -> Self {
        Self(Arc::new(Inside {
            world,
            contract,
            mutant,
            donors,
            registry: Registry::default(),
            touched: Arc::default(),
            under_way: AtomicUsize::new(0),
            counts: Mutex::default(),
            texts: Mutex::default(),
        }))
    }

    /// Leaks the layer, since tests need a `'static` world.
    pub(crate) fn that_stays(self) -> &'static Self {
        Box::leak(Box::new(self))
    }

    /// How often the defect took effect.
    pub(crate) fn touched(&self) -> usize {
        self.0.touched.load(Ordering::Relaxed)
    }
}

impl Inside {
    fn answer(
        &self,
        request: &Request,
        limited: Option<(u64, usize)>,
        is_held: bool,
        send: &dyn Fn(&Request) -> Response,
    ) -> Response {
        let Some(mutant) = &self.mutant else {
            return send(request);
        };
        let call = Call {
            layer: self,
            request,
            operation: mutant.operation,
            called: request::called(self.contract.operations(), request),
            limited,
            is_held,
            send,
        };
        self.under_way.fetch_add(1, Ordering::SeqCst);
        let response = (mutant.wrong)(&call);
        self.under_way.fetch_sub(1, Ordering::SeqCst);
        response
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to a count and returns the sum.
    pub(crate) fn count(&self, name: &str, by: i64) -> i64 {
        let mut counts = self.counts();
        let count = counts.entry(name.to_owned()).or_default();
        *count += by;
        *count
    }

    /// The first text that was stored under this name, which may be this one.
    pub(crate) fn first(&self, name: &str, text: &str) -> String {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.entry(name.to_owned()).or_insert_with(|| text.to_owned()).clone()
    }
}

impl Call<'_> {
    /// The right answer.
    pub(crate) fn pass(&self) -> Response {
        (self.send)(self.request)
    }

    /// The right answer to another request.
    pub(crate) fn send(&self, request: &Request) -> Response {
        (self.send)(request)
    }

    /// Whether it calls the operation under test.
    pub(crate) fn is_ours(&self) -> bool {
        self.called.is_some_and(|called| std::ptr::eq(called, self.operation))
    }

    /// Whether its path is that of the operation under test, or a longer one.
    pub(crate) fn is_near(&self) -> bool {
        request::is_near(self.operation, self.request)
    }

    /// Marks the answer as a wrong one.
    pub(crate) fn wrong(&self, response: Response) -> Response {
        self.layer.touched.fetch_add(1, Ordering::Relaxed);
        response
    }

    /// The answer to a similar accepted request, by another caller.
    pub(crate) fn donor(&self) -> Response {
        let name = self.operation.name;
        let known = |donors: &Donors| donors.lock().ok().and_then(|donors| donors.get(name).cloned());
        let response = known(&self.layer.donors).unwrap_or_else(|| {
            let attempt = Attempt::new(self.layer.world, self.operation);
            let stage = attempt.stage(false);
            let response = attempt.send(&stage.caller, &stage.arranged).response;
            if let Ok(mut donors) = self.layer.donors.lock() {
                donors.insert(name, response.clone());
            }
            response
        });
        self.wrong(response)
    }

    /// The error of an answer.
    pub(crate) fn error(&self, response: &Response) -> Option<&'static ErrorEntry> {
        envelope::entry_of(self.layer.contract, response)
    }

    /// Whether this step has rejected.
    pub(crate) fn is_error(&self, response: &Response, step: Step) -> bool {
        self.error(response).is_some_and(|error| error.step == step)
    }

    /// This error in place of an answer; `values` as in the table's texts.
    pub(crate) fn error_response(
        &self,
        in_place_of: &Response,
        error: &'static ErrorEntry,
        values: &[(&str, String)],
    ) -> Response {
        envelope::error_response(self.layer.contract, in_place_of, error, values)
    }

    /// The answer to the request if it were also malformed: it has no effect.
    pub(crate) fn probe(&self) -> Response {
        let mut request = self.request.clone();
        request
            .target
            .push(if request.target.contains('?') { '&' } else { '?' });
        request.target.push_str("no_such_parameter=1");
        (self.send)(&request)
    }
}
