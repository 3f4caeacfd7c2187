//! Workers: searched by agents, entered and changed by the operator, and each by itself.

use std::sync::Arc;

use codegen_store::blocking;
use codegen_store::kept::usage;
use contract::support::{Done, Once};
use contract::{
    AdmitWorkerToken, ApiKeyCaller, Encoded, Failure, FindHuman, Human, HumanDetail, HumanId, HumanList, NewHuman,
    NewHumanRest, OfferedSkillItem, Page, WorkerTokenCaller, agent, operator, worker, worker_token,
};

use super::by_worker;
use crate::app::{Hitode, missing};
use crate::digest::Digest;
use crate::store::{
    Actor, Decided, HumanFilter, NamedSkill, PageRequest, Tx, end_code, named, ratings, skills, tables,
};

impl AdmitWorkerToken for Hitode {
    async fn admit_worker_token(&self, presented: &str) -> Result<Option<WorkerTokenCaller>, Failure> {
        let digest = Digest::from_secret(presented);
        let admitted = self.look(|mirror| mirror.humans.admit(&digest))?;
        Ok(admitted.map(|admitted| WorkerTokenCaller {
            id: admitted.id,
            limited_by: admitted.id,
            suspended: admitted.suspended,
            realm: admitted.sandbox,
        }))
    }
}

impl FindHuman for Hitode {
    async fn find_human(&self, id: HumanId) -> Result<Option<Arc<Human>>, Failure> {
        self.look(|mirror| mirror.humans.get(id))
    }
}

impl Hitode {
    /// A worker in the view for agents.
    fn show_human(&self, id: HumanId) -> Result<Encoded<HumanDetail>, Failure> {
        let human = self.look(|mirror| mirror.humans.detail(id))?;
        human.ok_or_else(|| missing("a worker"))
    }

    /// The skills of live workers, or of simulated ones.
    fn offered_skills(&self, sandbox: bool, window: PageRequest) -> Result<Page<OfferedSkillItem>, Failure> {
        self.look(|mirror| mirror.humans.of(sandbox).skills(window))
    }

    /// Creates workers, live or simulated ones, all or none, with ids in the given order. `taken` is the error if another one has an
    /// `external_id` of theirs.
    pub(crate) async fn create_humans<S: Send + 'static, E: From<Failure> + Copy + Send + 'static>(
        &self,
        humans: Vec<NewHuman>,
        sandbox: bool,
        once: Once<S, Vec<HumanId>>,
        taken: E,
    ) -> Result<Done<S>, E> {
        let drafts = blocking(move || Ok(drafts(humans, sandbox)))
            .await
            .map_err(Failure::from)?;
        self.write_once(Actor::Operator, once, move |tx| create(tx, &drafts, taken))
            .await
    }

    /// Gives a worker a new token. The previous one ends.
    pub(crate) async fn renew_token(&self, id: HumanId) -> Result<String, Failure> {
        let token = worker_token::mint();
        let digest = Digest::from_secret(&token);
        self.write(Actor::Operator, move |tx| set_token(tx, id, &digest))
            .await
            .map(|()| token)
    }
}

impl agent::ListHumans for Hitode {
    async fn list_humans(
        &self,
        request: agent::list_humans::Request,
    ) -> Result<Page<HumanList>, agent::list_humans::Error> {
        let query = request.query;
        let window = PageRequest::new(query.limit, query.offset);
        let filter = HumanFilter {
            skill: query.skill,
            state: query.state,
            gender: query.gender,
            min_rate: query.min_rate,
            max_rate: query.max_rate,
            only_available: query.is_available == Some(true),
            sandbox: request.caller.realm,
        };
        Ok(self.look(|mirror| mirror.humans.of(filter.sandbox).find(&filter, window))?)
    }

    async fn nearest_skill(&self, caller: &ApiKeyCaller, name: String) -> Result<Vec<String>, Failure> {
        self.look(|mirror| mirror.humans.of(caller.realm).nearest_skills(&name))
    }
}

impl agent::GetHuman for Hitode {
    async fn get_human(
        &self,
        request: agent::get_human::Request,
    ) -> Result<Encoded<HumanDetail>, agent::get_human::Error> {
        Ok(self.show_human(request.human.id)?)
    }
}

impl agent::ListSkills for Hitode {
    async fn list_skills(
        &self,
        request: agent::list_skills::Request,
    ) -> Result<Page<OfferedSkillItem>, agent::list_skills::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        Ok(self.offered_skills(request.caller.realm, window)?)
    }
}

impl worker::ListSkills for Hitode {
    async fn list_skills(
        &self,
        request: worker::list_skills::Request,
    ) -> Result<Page<OfferedSkillItem>, worker::list_skills::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        Ok(self.offered_skills(request.caller.realm, window)?)
    }
}

impl operator::CreateHuman for Hitode {
    async fn create_human(
        &self,
        request: operator::create_human::Request,
    ) -> Result<Done<operator::create_human::Success>, operator::create_human::Error> {
        let once = request.once.map(|ids: Vec<HumanId>| {
            let id = *ids.first().expect("one worker gets one id");
            operator::create_human::Success { id }
        });
        let taken = operator::create_human::Error::ExternalIdTaken;
        self.create_humans(vec![request.body], false, once, taken).await
    }
}

impl operator::ImportHumans for Hitode {
    async fn import_humans(
        &self,
        request: operator::import_humans::Request,
    ) -> Result<Done<operator::import_humans::Success>, operator::import_humans::Error> {
        let once = request.once.map(|ids| operator::import_humans::Success { ids });
        let taken = operator::import_humans::Error::ExternalIdTaken;
        self.create_humans(request.body.humans, false, once, taken).await
    }
}

impl operator::UpdateHuman for Hitode {
    async fn update_human(
        &self,
        request: operator::update_human::Request,
    ) -> Result<(), operator::update_human::Error> {
        let (id, mut body) = (request.human.id, request.body);
        let skills = body.skills.take().map(named);
        let change = move |human: &mut Human| body.clone().apply(human);
        self.write(Actor::Operator, move |tx| {
            let former: Human = tx.existing(id)?;
            if operator::update_human::is_erased(&former) {
                return Err(operator::update_human::Error::Erased.into());
            }
            let human = ratings::changed(&former, &change);
            if tx.is_taken(tables::EXTERNAL_IDS, &human)? {
                return Err(operator::update_human::Error::ExternalIdTaken.into());
            }
            update(tx, &former, human, skills.as_deref())
        })
        .await
    }
}

impl worker::GetMe for Hitode {
    async fn get_me(&self, request: worker::get_me::Request) -> Result<Encoded<HumanDetail>, worker::get_me::Error> {
        Ok(self.show_human(request.caller.id)?)
    }
}

impl worker::UpdateMe for Hitode {
    async fn update_me(&self, request: worker::update_me::Request) -> Result<(), worker::update_me::Error> {
        let (id, mut body) = (request.caller.id, request.body);
        let skills = body.skills.take().map(named);
        let by = by_worker(&request.caller, &request.presented_credential).counting(request.uses, self.now());
        let change = move |human: &mut Human| body.clone().apply(human);
        self.write(by, move |tx| {
            let former = tx.existing(id)?;
            update(tx, &former, changed(&former, &change), skills.as_deref())
        })
        .await
    }
}

/// A worker to be created. The names of its skills are folded, which takes long.
pub(crate) struct Draft {
    human: NewHuman,
    sandbox: bool,
    skills: Vec<NamedSkill>,
}

/// Workers to be created. Call it outside of the transaction.
pub(crate) fn drafts(humans: Vec<NewHuman>, sandbox: bool) -> Vec<Draft> {
    let draft = |mut human: NewHuman| {
        let skills = named(std::mem::take(&mut human.skills));
        Draft { human, sandbox, skills }
    };
    humans.into_iter().map(draft).collect()
}

/// Creates workers, in the given order. `taken` is the error if an `external_id` is that of another one.
pub(crate) fn create<D: From<Failure> + Copy>(tx: &mut Tx<'_>, drafts: &[Draft], taken: D) -> Decided<Vec<HumanId>, D> {
    let mut ids = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let id = tx.next_id::<Human>()?;
        let skills = skills::with_ids(tx, &draft.skills)?;
        skills::replaced(tx, &[], &skills)?;
        let mut human = draft.human.clone().into_human(NewHumanRest { id, skills });
        human.sandbox = draft.sandbox;
        if tx.is_taken(tables::EXTERNAL_IDS, &human)? {
            return Err(taken.into());
        }
        tx.create(&human)?;
        ids.push(id);
    }
    Ok(ids)
}

/// A worker after this change.
pub(crate) fn changed(former: &Human, change: &impl Fn(&mut Human)) -> Human {
    let mut human = former.clone();
    change(&mut human);
    human
}

/// Writes a worker in place of the `former` state. `skills`, if present, replace the worker's skills.
pub(crate) fn update<D>(
    tx: &mut Tx<'_>,
    former: &Human,
    mut human: Human,
    skills: Option<&[NamedSkill]>,
) -> Decided<(), D> {
    if human.suspended != former.suspended {
        end_code(&mut human);
        tx.await_everywhere();
    }
    if let Some(skills) = skills {
        let last = tx.last_id(tables::SKILLS)?;
        let skills = skills::with_ids(tx, skills)?;
        let new = tx.last_id(tables::SKILLS)? - last;
        usage::count(tx, Some(new))?;
        skills::replaced(tx, &human.skills, &skills)?;
        human.skills = skills;
    }
    Ok(tx.replace(former, &human)?)
}

/// Replaces a worker's token.
pub(crate) fn set_token<D>(tx: &mut Tx<'_>, id: HumanId, digest: &Digest) -> Decided<(), D> {
    let mut human: Human = tx.existing(id)?;
    human.token_digest = Some(digest.to_hex());
    tx.put(&human)?;
    tx.await_everywhere();
    Ok(())
}
