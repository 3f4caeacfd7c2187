// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The only writers of bodies.
pub(crate) mod envelope {
    use super::support::{Answer, ObjectWriter, Refusal, WriteJson};

    #[allow(unused_variables)]
    pub(crate) fn success(
        status: u16,
        data: Option<&dyn WriteJson>,
        message: Option<&str>,
        siblings: &[(&str, i64)],
    ) -> Answer {
        let mut object = ObjectWriter::new();
        object.raw("ok", "true");
        object.raw("version", "2");
        match data {
            Some(data) => object.json("result", data),
            None => object.raw("result", "null"),
        }
        if let Some(message) = message {
            object.text("message", message);
        }
        for (name, number) in siblings {
            object.number(name, *number);
        }
        Answer {
            status,
            body: object.finish(),
        }
    }

    #[allow(unused_variables)]
    pub(crate) fn error(refusal: &Refusal, request_id: &str) -> Answer {
        let mut object = ObjectWriter::new();
        object.raw("ok", "false");
        object.number("status", i64::from(refusal.status));
        object.text("code", refusal.row);
        object.text("detail", &refusal.text);
        object.text("request_id", request_id);
        Answer {
            status: refusal.status,
            body: object.finish(),
        }
    }
}

/// Makes the response of what the steps of a request came to; nothing where they panicked.
async fn respond(
    mut exchange: support::Exchange,
    outcome: Option<Result<support::Answer, support::Refusal>>,
) -> support::Response {
    let outcome = outcome.unwrap_or_else(|| Err(errors::broken()));
    let request_id = std::mem::take(&mut exchange.request_id);
    let answer = match outcome {
        Ok(answer) => answer,
        Err(refusal) => {
            let answer = envelope::error(&refusal, &request_id);
            for (header, value) in refusal.headers {
                exchange.reply_header(support::HeaderName::from_static(header), &value);
            }
            answer
        }
    };
    exchange
        .reply_header(
            const { support::HeaderName::from_static("lockers-request") },
            &request_id,
        );
    exchange.answered(answer.status);
    exchange.discard_body().await;
    exchange.finish(answer)
}

/// The filter around some steps: what `claims` takes goes through them, and whatever they come to is the answer.
fn serve<A: Send + Sync + 'static>(
    app: std::sync::Arc<A>,
    gate: std::sync::Arc<Gate>,
    surface: &'static str,
    claims: fn(&support::Method, &str) -> bool,
    steps: for<'r> fn(&'r A, &'r Gate, &'r mut support::Exchange) -> support::Steps<'r>,
) -> impl support::warp::Filter<
    Extract = (support::Response,),
    Error = support::warp::Rejection,
> + Clone {
    support::filter(
        claims,
        Some(surface),
        gate.observer.clone(),
        move |mut exchange| {
            let (app, gate) = (
                std::sync::Arc::clone(&app),
                std::sync::Arc::clone(&gate),
            );
            async move {
                let outcome = support::unwinding(
                        exchange.span(),
                        steps(&app, &gate, &mut exchange),
                    )
                    .await;
                respond(exchange, outcome).await
            }
        },
    )
}

/// Answers whatever is nobody's path, in the envelope; the observer of `gate` is told of it, too.
#[allow(clippy::needless_pass_by_value, reason = "given as to the other filters")]
pub fn fallback(
    gate: std::sync::Arc<Gate>,
) -> impl support::warp::Filter<
    Extract = (support::Response,),
    Error = support::warp::Rejection,
> + Clone {
    support::filter(
        |_, _| true,
        None,
        gate.observer.clone(),
        |exchange| respond(exchange, Some(Err(errors::no_such_path()))),
    )
}
