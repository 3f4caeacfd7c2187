//! The layer between suite and server: a world around another one, in which one thing is wrong.
//!
//! Passes everything through but the requests that the mutant is about. What it must know of them it asks the world
//! within: whether it would reject a request, and with what; what it answers to another one.

mod envelope;
mod made;
mod request;
mod twins;
mod world;

pub(crate) use envelope::{data_name, error_member, is_success, shown, with_json};
pub(crate) use made::Made;
pub(crate) use request::{headers, id_of, json_of, parameters, with_json_body, with_parameter};

use crate::attempt::Attempt;
use crate::contract::{Contract, Operation, Row, Step};
use crate::mutants::Mutant;
use crate::world::{Request, Response, World};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// What is wrong: the answer in place of the right one.
pub(crate) type Wrong = Box<dyn Fn(&Call<'_>) -> Response + Send + Sync>;

/// Whether what the suite has made has twins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twins {
    /// It has none.
    None,
    /// To each is done what the world is asked to do to the original.
    Whole,
    /// The same, but for what makes this step reject.
    Without(Step),
}

/// A world in which one thing is wrong.
pub(crate) struct Layer(Arc<Inside>);

/// Where there are layers.
static LAYERS: LazyLock<Mutex<HashSet<usize>>> = LazyLock::new(Mutex::default);

/// What the layer knows.
pub(crate) struct Inside {
    pub(crate) world: &'static dyn World,
    pub(crate) contract: &'static Contract,
    operations: &'static [&'static Operation],
    mutant: Option<Arc<Mutant>>,
    donors: Arc<Donors>,
    pub(crate) made: Made,
    touched: Arc<AtomicUsize>,
    /// Requests of the operation that are under way.
    pub(crate) under_way: AtomicUsize,
    /// What the mutant must remember, by names of its own.
    counts: Mutex<HashMap<String, i64>>,
    texts: Mutex<HashMap<String, String>>,
}

/// Answers to requests that were accepted, by operation: they may be given to any number of others.
pub(crate) type Donors = Mutex<HashMap<&'static str, Response>>;

/// A request on its way to the world within.
pub(crate) struct Call<'c> {
    pub(crate) layer: &'c Inside,
    pub(crate) request: &'c Request,
    /// The operation under test.
    pub(crate) operation: &'static Operation,
    /// The operation that this request calls.
    pub(crate) called: Option<&'static Operation>,
    /// What the clock of the limits shows, and which limits these are.
    pub(crate) limited: Option<(u64, usize)>,
    /// Whether its body is held while something changes.
    pub(crate) is_held: bool,
    send: &'c dyn Fn(&Request) -> Response,
}

impl Layer {
    pub(crate) fn new(
        world: &'static dyn World,
        contract: &'static Contract,
        operations: &'static [&'static Operation],
        mutant: Option<Arc<Mutant>>,
        donors: Arc<Donors>,
    ) -> Self {
        Self(Arc::new(Inside {
            world,
            contract,
            operations,
            mutant,
            donors,
            made: Made::default(),
            touched: Arc::default(),
            under_way: AtomicUsize::new(0),
            counts: Mutex::default(),
            texts: Mutex::default(),
        }))
    }

    /// The same for as long as the process lives, as tests want their world.
    pub(crate) fn that_stays(self) -> &'static Self {
        let layer: &'static Self = Box::leak(Box::new(self));
        let mut layers = LAYERS.lock().unwrap_or_else(PoisonError::into_inner);
        layers.insert(std::ptr::from_ref(layer).addr());
        layer
    }

    /// Whether this world is such a layer.
    pub(crate) fn is_one(world: &'static dyn World) -> bool {
        let layers = LAYERS.lock().unwrap_or_else(PoisonError::into_inner);
        layers.contains(&std::ptr::from_ref(world).cast::<()>().addr())
    }

    /// How often anything was wrong.
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
            called: request::called(self.operations, request),
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

    /// Adds to a count and gives what it is then.
    pub(crate) fn count(&self, name: &str, by: i64) -> i64 {
        let mut counts = self.counts();
        let count = counts.entry(name.to_owned()).or_default();
        *count += by;
        *count
    }

    /// The first text that was remembered by this name, which may be this one.
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

    /// Whether its path is that of the operation under test, or goes on behind it.
    pub(crate) fn is_near(&self) -> bool {
        request::is_near(self.operation, self.request)
    }

    /// The answer, as a wrong one.
    pub(crate) fn wrong(&self, response: Response) -> Response {
        self.layer.touched.fetch_add(1, Ordering::Relaxed);
        response
    }

    /// The answer to an accepted request like this one, by somebody else.
    pub(crate) fn donor(&self) -> Response {
        let name = self.operation.name;
        let known = |donors: &Donors| donors.lock().ok().and_then(|donors| donors.get(name).cloned());
        let response = known(&self.layer.donors).unwrap_or_else(|| {
            let attempt = Attempt::truly_in(self.layer.world, self.layer.contract, self.operation);
            let stage = attempt.stage(false);
            let response = attempt.send(&stage.caller, &stage.arranged).response;
            if let Ok(mut donors) = self.layer.donors.lock() {
                donors.insert(name, response.clone());
            }
            response
        });
        self.wrong(response)
    }

    /// The row that an answer is.
    pub(crate) fn row(&self, response: &Response) -> Option<&'static Row> {
        envelope::row_of(self.layer.contract, response)
    }

    /// Whether this step has rejected.
    pub(crate) fn is_row(&self, response: &Response, step: Step) -> bool {
        self.row(response).is_some_and(|row| row.step == step)
    }

    /// This row in the place of an answer; `values` as in the table's texts.
    pub(crate) fn refusal(&self, in_place_of: &Response, row: &'static Row, values: &[(&str, String)]) -> Response {
        envelope::refusal(self.layer.contract, in_place_of, row, values)
    }

    /// What the request would be answered if it were malformed beside all else: nothing is done for it.
    pub(crate) fn probe(&self) -> Response {
        let mut request = self.request.clone();
        request
            .target
            .push(if request.target.contains('?') { '&' } else { '?' });
        request.target.push_str("no_such_parameter=1");
        (self.send)(&request)
    }
}
