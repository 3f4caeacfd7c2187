//! The handheld terminals of couriers, and their keys.

use crate::store::Store;
use crate::support::{Done, Rows, Timestamp};
use crate::{
    CourierId, Lockers, Network, Terminal, TerminalId, TerminalItem, TerminalSeed, courier, depot, quotas, terminal_key,
};
use courier::{delete_terminal, list_terminals};
use depot::create_terminal;

impl Store {
    /// Creates a terminal of this courier, and its key, which is shown only once.
    pub(crate) fn add_terminal(
        &mut self,
        (courier_id, network): (CourierId, Network),
        name: String,
        created_at: Timestamp,
    ) -> (TerminalId, String) {
        let key = terminal_key::mint(network);
        let id = self.terminals.add(TerminalId::new, |id| {
            Terminal::from(TerminalSeed {
                id,
                courier_id,
                name,
                key_start: terminal_key::abbreviate(&key),
                created_at,
            })
        });
        self.keys.insert(key.clone(), id);
        (id, key)
    }
}

impl depot::CreateTerminal for Lockers {
    async fn create_terminal(
        &self,
        request: create_terminal::Request,
    ) -> Result<Done<create_terminal::Success>, create_terminal::Error> {
        let now = self.now();
        let (owner, network) = (request.courier.id, request.courier.network);
        let mut store = self.store();
        let terminals = store.terminals.filter(|terminal| terminal.courier_id == owner);
        if i64::try_from(terminals.len()).is_ok_and(|held| held >= quotas::TERMINALS) {
            return Err(create_terminal::Error::Exhausted);
        }
        let (id, key) = store.add_terminal((owner, network), request.body.name, now);
        let key_start = terminal_key::abbreviate(&key);
        Ok(store.done(&request.once, create_terminal::Success { id, key, key_start }))
    }
}

impl courier::ListTerminals for Lockers {
    async fn list_terminals(
        &self,
        request: list_terminals::Request,
    ) -> Result<Rows<TerminalItem>, list_terminals::Error> {
        let owner = request.caller.id;
        let mut terminals = self
            .store()
            .terminals
            .filter(|terminal| list_terminals::matches(terminal, owner));
        terminals.sort_by(|a, b| list_terminals::order(a, b));
        Ok(terminals.iter().map(|terminal| terminal.item()).collect())
    }
}

impl courier::DeleteTerminal for Lockers {
    async fn delete_terminal(&self, request: delete_terminal::Request) -> Result<(), delete_terminal::Error> {
        let id = request.owned_terminal.id;
        let mut store = self.store();
        // Another request may have removed it since the guard found it.
        let gone = store.terminals.remove(id);
        gone.ok_or(delete_terminal::Error::UnknownTerminal)?;
        store.keys.retain(|_, terminal| *terminal != id);
        Ok(())
    }
}
