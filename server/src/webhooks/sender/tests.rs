use std::future::pending;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Mutex;
use std::time::UNIX_EPOCH;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::*;

const NAME: &str = "hooks.example.com";

/// Gives each of these answers once, and the last one from then on.
struct Answers(Mutex<Vec<Vec<IpAddr>>>);

impl Answers {
    fn new(answers: &[&[&str]]) -> Self {
        let parsed = |answer: &&[&str]| answer.iter().map(|text| text.parse().expect("an address")).collect();
        Self(Mutex::new(answers.iter().rev().map(parsed).collect()))
    }
}

impl Resolve for Answers {
    async fn resolve(&self, name: &str, _: AccountId) -> io::Result<Vec<IpAddr>> {
        assert_eq!(name, NAME);
        let mut answers = self.0.lock().expect("no holder panics");
        let next = if answers.len() > 1 {
            answers.pop()
        } else {
            answers.last().cloned()
        };
        next.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A receiver that reads a request and sends `response`, as often as it is asked.
async fn receiver(response: &'static str) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            tokio::spawn(respond(stream, response));
        }
    });
    address
}

/// Reads until the end of the request, and then responds. An empty response is none at all.
async fn respond(mut stream: impl AsyncRead + AsyncWrite + Unpin, response: &str) -> String {
    let mut request = Vec::new();
    while !request.ends_with(b"{}") {
        let read = stream.read_buf(&mut request).await.expect("a request");
        assert_ne!(read, 0, "the request is complete");
    }
    if response.is_empty() {
        return pending().await;
    }
    // Fails if the sender has read enough.
    let _ = stream.write_all(response.as_bytes()).await;
    let _ = stream.shutdown().await;
    String::from_utf8(request).expect("text")
}

async fn post<R: Resolve>(sender: &Sender<R>, url: &str, read: ReadBody) -> Result<Received, NoResponse> {
    let target = Target::parse(url, Reach::Any).expect(url);
    let headers = HeaderMap::from_iter([(
        http::HeaderName::from_static("webhook-id"),
        HeaderValue::from_static("evt_1"),
    )]);
    let account = AccountId::new(1);
    sender
        .post(account, &target, headers, Bytes::from_static(b"{}"), read)
        .await
}

/// What comes of this response.
async fn of(response: &'static str, read: ReadBody) -> Result<Received, NoResponse> {
    let sender = Sender::new(Answers::new(&[]), Reach::Any);
    let address = receiver(response).await;
    post(&sender, &format!("http://{address}/hook"), read).await
}

#[tokio::test]
async fn a_request_is_a_post_with_the_given_headers() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let url = format!(
        "http://{NAME}:{}/hook?a=b",
        listener.local_addr().expect("an address").port()
    );
    let sender = Sender::new(Answers::new(&[&["127.0.0.1"]]), Reach::Any);
    let receive = async {
        let (stream, _) = listener.accept().await.expect("a connection");
        respond(stream, "HTTP/1.1 204 No Content\r\n\r\n").await
    };
    let (sent, request) = tokio::join!(post(&sender, &url, ReadBody::No), receive);
    assert_eq!(sent.expect("a response").status, StatusCode::NO_CONTENT);
    assert!(request.starts_with("POST /hook?a=b HTTP/1.1\r\n"), "{request}");
    for line in ["webhook-id: evt_1", "content-length: 2", "connection: close"] {
        assert!(request.contains(&format!("\r\n{line}\r\n")), "{request}");
    }
    assert!(request.contains(&format!("host: {NAME}:")), "{request}");
}

#[tokio::test]
async fn a_name_with_only_private_addresses_is_not_connected_to() {
    let port = receiver("HTTP/1.1 200 OK\r\n\r\n").await.port();
    for address in [
        "127.0.0.1",
        "10.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "169.254.169.254",
        "64:ff9b::7f00:1",
    ] {
        let sender = Sender::new(Answers::new(&[&[address]]), Reach::Public);
        let sent = post(&sender, &format!("http://{NAME}:{port}/"), ReadBody::No).await;
        assert_eq!(
            sent.expect_err("nothing is sent"),
            NoResponse::RefusedAddress,
            "{address}"
        );
    }
}

#[tokio::test]
async fn a_name_that_changes_its_address_is_checked_at_each_attempt() {
    let port = receiver("HTTP/1.1 200 OK\r\n\r\n").await.port();
    let answers = Answers::new(&[&["192.0.2.1"], &["203.0.113.9", "127.0.0.1"], &[]]);
    let sender = Sender::new(answers, Reach::Public);
    let url = format!("http://{NAME}:{port}/");
    for expected in [
        NoResponse::RefusedAddress,
        NoResponse::RefusedAddress,
        NoResponse::Unresolved,
    ] {
        let sent = post(&sender, &url, ReadBody::No).await;
        assert_eq!(sent.expect_err("nothing is sent"), expected);
    }
}

#[tokio::test]
async fn a_literal_private_address_is_checked_too() {
    let port = receiver("HTTP/1.1 200 OK\r\n\r\n").await.port();
    let sender = Sender::new(Answers::new(&[]), Reach::Public);
    let sent = post(&sender, &format!("http://127.0.0.1:{port}/"), ReadBody::No).await;
    assert_eq!(sent.expect_err("nothing is sent"), NoResponse::RefusedAddress);
}

#[tokio::test]
async fn the_next_address_is_tried() {
    let port = receiver("HTTP/1.1 200 OK\r\n\r\n").await.port();
    let sender = Sender::new(Answers::new(&[&["::1", "127.0.0.1"]]), Reach::Any);
    let sent = post(&sender, &format!("http://{NAME}:{port}/"), ReadBody::No).await;
    assert_eq!(sent.expect("a response").status, StatusCode::OK);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let response = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n";
    let sent = of(response, ReadBody::Yes).await.expect("a response");
    assert_eq!((sent.status, sent.body), (StatusCode::FOUND, Some(Bytes::new())));
}

#[tokio::test]
async fn a_body_is_read_up_to_its_bound() {
    let sent = of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", ReadBody::Yes).await;
    assert_eq!(sent.expect("a response").body, Some(Bytes::from_static(b"hello")));
    let long: &'static str = format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(MAX_BODY + 1)).leak();
    assert_eq!(of(long, ReadBody::Yes).await.expect("a response").body, None);
    assert_eq!(
        of(long, ReadBody::No).await.expect("a response").body,
        Some(Bytes::new())
    );
}

#[tokio::test]
async fn a_head_is_read_up_to_its_bound() {
    let long: &'static str = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(2 * MAX_HEAD)).leak();
    assert_eq!(
        of(long, ReadBody::No).await.expect_err("too long"),
        NoResponse::Connection
    );
}

#[tokio::test]
async fn what_is_no_response_is_a_failed_connection() {
    for response in ["SSH-2.0-server\r\n", "HTTP/1.1 200", "\r\n"] {
        assert_eq!(
            of(response, ReadBody::No).await.expect_err("no response"),
            NoResponse::Connection
        );
    }
    let sender = Sender::new(Answers::new(&[]), Reach::Any);
    let nobody = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let url = format!("http://{}/", nobody.local_addr().expect("an address"));
    drop(nobody);
    assert_eq!(
        post(&sender, &url, ReadBody::No).await.expect_err("nobody"),
        NoResponse::Connection
    );
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_does_not_answer_is_given_up() {
    let begun = tokio::time::Instant::now();
    assert_eq!(
        of("", ReadBody::No).await.expect_err("no response"),
        NoResponse::Timeout
    );
    assert_eq!(begun.elapsed().as_secs(), DEADLINE.as_secs());
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
    for (value, expected) in [
        ("120", Some(120)),
        (" 7 ", Some(7)),
        ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
        ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
        ("-1", None),
        ("soon", None),
    ] {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(value))]);
        assert_eq!(
            retry_after(&headers, now).map(|wait| wait.as_secs()),
            expected,
            "{value}"
        );
    }
}

/// What comes of a request to a receiver with TLS whose certificate is for `name`.
async fn over_tls(name: &str) -> Result<Received, NoResponse> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed([name.to_owned()]).expect("a certificate");
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).expect("a certificate");
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider);
    let config = config.with_safe_default_protocol_versions().expect("versions");
    let config = config
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key);
    let acceptor = TlsAcceptor::from(Arc::new(config.expect("a certificate with its key")));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("a connection");
        if let Ok(stream) = acceptor.accept(stream).await {
            respond(stream, "HTTP/1.1 200 OK\r\n\r\n").await;
        }
    });
    let sender = Sender::new(Answers::new(&[&["127.0.0.1"]]), Reach::Any);
    let _ = sender.tls.set(client_config(roots));
    post(&sender, &format!("https://{NAME}:{port}/"), ReadBody::No).await
}

#[tokio::test]
async fn a_certificate_must_be_for_the_host() {
    assert_eq!(over_tls(NAME).await.expect("a response").status, StatusCode::OK);
    assert_eq!(
        over_tls("other.example.com").await.expect_err("no response"),
        NoResponse::Tls
    );
}
