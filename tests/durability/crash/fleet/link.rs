//! The network between a server and the nodes of the database: it can be cut, or hold back what is sent.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    /// It works.
    Open,
    /// Nothing arrives before it is open again.
    Held,
    /// Connections end.
    Cut,
}

/// The network of one server.
pub(super) struct Link {
    /// The ports that lead to the nodes.
    pub(super) ports: Vec<u16>,
    state: Arc<State>,
}

struct State {
    network: Mutex<Network>,
    changed: Condvar,
    /// The connections, with the addresses of their clients.
    open: Mutex<Vec<(SocketAddr, TcpStream)>>,
}

impl Link {
    /// A network to these ports.
    pub(super) fn to(targets: &[u16]) -> Link {
        let state = State {
            network: Mutex::new(Network::Open),
            changed: Condvar::new(),
            open: Mutex::default(),
        };
        let state = Arc::new(state);
        let listen = |target: &u16| {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let port = listener.local_addr().expect("an address").port();
            let (target, state) = (*target, Arc::clone(&state));
            // It ends with the test's process.
            thread::spawn(move || {
                while let Ok((client, address)) = listener.accept() {
                    let state = Arc::clone(&state);
                    thread::spawn(move || state.connect(&client, address, target));
                }
            });
            port
        };
        let ports = targets.iter().map(listen).collect();
        Link { ports, state }
    }

    pub(super) fn set(&self, network: Network) {
        *self.state.network.lock().expect("a lock") = network;
        self.state.changed.notify_all();
        if network == Network::Cut {
            for (_, stream) in self.state.open.lock().expect("a lock").drain(..) {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }
}

impl State {
    /// Waits while the network holds back; whether it works then.
    fn passes(&self) -> bool {
        let network = self.network.lock().expect("a lock");
        let network = self.changed.wait_while(network, |network| *network == Network::Held);
        *network.expect("a lock") == Network::Open
    }

    fn connect(&self, client: &TcpStream, address: SocketAddr, target: u16) {
        if !self.passes() {
            return;
        }
        let Ok(server) = TcpStream::connect(("127.0.0.1", target)) else {
            return;
        };
        for stream in [client, &server] {
            let _ = stream.set_nodelay(true);
            let stream = stream.try_clone().expect("a handle");
            self.open.lock().expect("a lock").push((address, stream));
        }
        thread::scope(|scope| {
            scope.spawn(|| self.pump(client, &server));
            self.pump(&server, client);
        });
        self.open.lock().expect("a lock").retain(|(of, _)| *of != address);
    }

    fn pump(&self, mut from: &TcpStream, mut to: &TcpStream) {
        let mut bytes = [0; 16 * 1024];
        while let Ok(count @ 1..) = from.read(&mut bytes)
            && self.passes()
            && to.write_all(&bytes[..count]).is_ok()
        {}
        self.passes();
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    }
}
