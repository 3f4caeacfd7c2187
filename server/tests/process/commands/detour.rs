//! A proxy between the importer and the server. A test decides which requests fail; its address stays the same when the server
//! moves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use test_support::process::DEADLINE;

/// The treatment of the n-th import request, counted from 1.
#[derive(Debug, Clone, Copy)]
pub(super) enum ProxyAction {
    /// The request and its answer pass.
    Through,
    /// The importer gets this answer, and the server gets nothing.
    Answer(&'static str),
    /// The server gets the request, and the importer gets this answer.
    AnswerInstead(&'static str),
    /// The server gets nothing; the importer waits.
    HoldRequest,
    /// The server answers; the importer waits.
    HoldAnswer,
}

/// A waiting importer. Dropping this closes its connection.
pub(super) struct Held {
    importer: TcpStream,
    answer: Vec<u8>,
}

/// The proxy.
pub(super) struct Detour {
    pub(super) address: SocketAddr,
    server: Arc<Mutex<SocketAddr>>,
    held: Receiver<Held>,
}

impl Detour {
    /// A proxy to `server`; `action` decides about each import request. All other requests pass.
    pub(super) fn to(server: SocketAddr, action: impl Fn(usize) -> ProxyAction + Send + 'static) -> Detour {
        let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
        let address = listener.local_addr().expect("an address");
        let server = Arc::new(Mutex::new(server));
        let (holding, held) = channel();
        let to = server.clone();
        std::thread::spawn(move || {
            let mut imports = 0;
            for client in listener.incoming().map_while(Result::ok) {
                let server = *to.lock().expect("a lock");
                // A process that is killed in the middle leaves half a request.
                let _ = pass(client, server, &mut imports, &action, &holding);
            }
        });
        Detour { address, server, held }
    }

    /// Sets the new address of the server.
    pub(super) fn move_to(&self, server: SocketAddr) {
        *self.server.lock().expect("a lock") = server;
    }

    /// Waits until a request is held.
    pub(super) fn held(&self) -> Held {
        self.held.recv_timeout(DEADLINE).expect("a request that is held")
    }
}

impl Held {
    /// Lets the answer pass.
    pub(super) fn release(mut self) {
        self.importer.write_all(&self.answer).expect("sent");
    }
}

fn pass(
    mut client: TcpStream,
    server: SocketAddr,
    imports: &mut usize,
    action: &impl Fn(usize) -> ProxyAction,
    holding: &Sender<Held>,
) -> std::io::Result<()> {
    let request = message(&client)?;
    let is_import = request.starts_with(b"POST /operator/v1/humans/import ");
    *imports += usize::from(is_import);
    let action = if is_import {
        action(*imports)
    } else {
        ProxyAction::Through
    };
    let answer = || {
        let mut server = TcpStream::connect(server)?;
        server.write_all(&request)?;
        message(&server)
    };
    match action {
        ProxyAction::Through => client.write_all(&answer()?),
        ProxyAction::Answer(text) => client.write_all(text.as_bytes()),
        ProxyAction::AnswerInstead(text) => {
            answer()?;
            client.write_all(text.as_bytes())
        }
        ProxyAction::HoldRequest | ProxyAction::HoldAnswer => {
            let answer = match action {
                ProxyAction::HoldAnswer => answer()?,
                _ => Vec::new(),
            };
            // The test may have ended.
            let _ = holding.send(Held {
                importer: client,
                answer,
            });
            Ok(())
        }
    }
}

/// A whole request or answer.
fn message(stream: &TcpStream) -> std::io::Result<Vec<u8>> {
    let mut input = BufReader::new(stream);
    let mut bytes = Vec::new();
    let mut length = 0;
    loop {
        let start = bytes.len();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let line = String::from_utf8_lossy(&bytes[start..]).to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        if line == "\r\n" {
            break;
        }
    }
    input.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
