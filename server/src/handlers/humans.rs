//! Workers: searched by agents, entered by the operator.

use contract::support::{Done, Once};
use contract::{
    ApiKeyCaller, Encoded, Failure, HumanAccess, HumanDetail, HumanId, HumanList, NewHuman, OfferedSkillItem, Page,
    agent, operator, worker_token,
};

use super::missing_after_guard;
use crate::app::Hitode;
use crate::digest::Digest;
use crate::store::{Actor, HumanFilter, PageRequest, Store};

impl<S: Store> agent::ListHumans for Hitode<S> {
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
        Ok(self.store().find_humans(filter, window).await.map_err(Failure::from)?)
    }

    async fn nearest_skill(&self, caller: &ApiKeyCaller, name: String) -> Result<Vec<String>, Failure> {
        Ok(self.store().nearest_skills(caller.realm, name).await?)
    }
}

impl<S: Store> agent::GetHuman for Hitode<S> {
    async fn get_human(
        &self,
        request: agent::get_human::Request,
    ) -> Result<Encoded<HumanDetail>, agent::get_human::Error> {
        let human = self.store().show_human(request.human.id).await.map_err(Failure::from)?;
        Ok(human.ok_or_else(|| missing_after_guard("a worker"))?)
    }
}

impl<S: Store> agent::ListSkills for Hitode<S> {
    async fn list_skills(
        &self,
        request: agent::list_skills::Request,
    ) -> Result<Page<OfferedSkillItem>, agent::list_skills::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        let skills = self.store().list_skills(request.caller.realm, window);
        Ok(skills.await.map_err(Failure::from)?)
    }
}

impl<S: Store> operator::CreateHuman for Hitode<S> {
    async fn create_human(
        &self,
        request: operator::create_human::Request,
    ) -> Result<Done<operator::create_human::Success>, operator::create_human::Error> {
        let once = request.once.map(|ids: Vec<HumanId>| {
            let id = *ids.first().expect("one worker gets one id");
            operator::create_human::Success { id }
        });
        Ok(enter(self, vec![request.body], once).await?)
    }
}

impl<S: Store> operator::ImportHumans for Hitode<S> {
    async fn import_humans(
        &self,
        request: operator::import_humans::Request,
    ) -> Result<Done<operator::import_humans::Success>, operator::import_humans::Error> {
        let once = request.once.map(|ids| operator::import_humans::Success { ids });
        Ok(enter(self, request.body.humans, once).await?)
    }
}

impl<S: Store> operator::GetHuman for Hitode<S> {
    async fn get_human(
        &self,
        request: operator::get_human::Request,
    ) -> Result<Encoded<HumanAccess>, operator::get_human::Error> {
        Ok(request.human.access())
    }
}

impl<S: Store> operator::UpdateHuman for Hitode<S> {
    async fn update_human(
        &self,
        request: operator::update_human::Request,
    ) -> Result<(), operator::update_human::Error> {
        let mut body = request.body;
        let skills = body.skills.take();
        let change = move |human: &mut _| body.clone().apply(human);
        let outcome = self
            .store()
            .update_human(Actor::Operator, request.human.id, skills, change)
            .await
            .map_err(Failure::from)?;
        Ok(outcome.map_err(|_| missing_after_guard("a worker"))?)
    }
}

impl<S: Store> operator::CreateHumanToken for Hitode<S> {
    async fn create_human_token(
        &self,
        request: operator::create_human_token::Request,
    ) -> Result<operator::create_human_token::Success, operator::create_human_token::Error> {
        let token = worker_token::mint();
        let outcome = self
            .store()
            .create_human_token(request.human.id, Digest::from_secret(&token))
            .await;
        outcome
            .map_err(Failure::from)?
            .map_err(|_| missing_after_guard("a worker"))?;
        Ok(operator::create_human_token::Success { token })
    }
}

async fn enter<S: Store, T: Send + 'static>(
    app: &Hitode<S>,
    humans: Vec<NewHuman>,
    once: Once<T, Vec<HumanId>>,
) -> Result<Done<T>, Failure> {
    Ok(app.store().create_humans(humans, false, once).await?)
}
