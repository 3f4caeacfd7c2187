//! One-time codes, with which workers sign in: made by the operator, exchanged by the worker for a token.
//!
//! A code is `106-K3QF-8ZDM-7WXA-2B4C`: the id of the worker, and 80 random bits in Crockford's base 32
//! (<https://www.crockford.com/base32.html>), which has no letters that look alike. Stored is the digest of the random part.

use contract::support::digest::Digest;
use contract::support::text::fold;
use contract::{Failure, Human, HumanId, Timestamp, join, operator};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::app::Hitode;
use crate::store::{Actor, Decided, Tx, end_code};

/// Seconds for which a code can be exchanged.
const LASTS: i64 = 24 * 60 * 60;
/// Seconds for which an exchange can be repeated with the same digest of a token, if its answer was lost.
const REPEATABLE: i64 = 10 * 60;

/// The characters of the random part, folded. Its length divides 256, so that each random byte chooses one with the same
/// chance.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Random characters, of 5 bits each.
const RANDOM: usize = 16;

/// A code that was made or typed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Code {
    of: HumanId,
    random: String,
}

impl Code {
    /// A new code for this worker.
    ///
    /// # Panics
    /// If the operating system provides no randomness: a guessable code must never be issued.
    fn mint(of: HumanId) -> Self {
        let mut bytes = [0; RANDOM];
        SysRng
            .try_fill_bytes(&mut bytes)
            .expect("the operating system gives randomness");
        let random = bytes.map(|byte| char::from(ALPHABET[usize::from(byte) % ALPHABET.len()]));
        let random = random.into_iter().collect();
        Self { of, random }
    }

    /// A code as a person may type it: in any case or width, with or without hyphens and spaces, with O for 0 and I or L for 1.
    fn parse(typed: &str) -> Option<Self> {
        let folded = fold(typed);
        let typed = folded.chars().filter(|c| !c.is_whitespace() && !is_hyphen(*c));
        let plain = typed.map(|c| match c {
            'o' => '0',
            'i' | 'l' => '1',
            other => other,
        });
        let plain: String = plain.collect();
        let (id, random) = plain.split_at_checked(plain.len().checked_sub(RANDOM)?)?;
        let is_random = random.bytes().all(|byte| ALPHABET.contains(&byte));
        let is_id = id.bytes().all(|byte| byte.is_ascii_digit());
        let of = id.parse().ok().filter(|_| is_id && is_random)?;
        Some(Self {
            of: HumanId::new(of),
            random: random.to_owned(),
        })
    }

    fn digest(&self) -> Digest {
        Digest::from_secret(&self.random)
    }
}

/// The hyphens and dashes that keyboards and messengers put in place of a hyphen.
fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | 'ー' | '_')
}

/// As the operator sends it: in capitals, with a hyphen after the id and after each four characters.
impl std::fmt::Display for Code {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.of.get())?;
        for (at, c) in self.random.chars().enumerate() {
            let hyphen = if at % 4 == 0 { "-" } else { "" };
            write!(out, "{hyphen}{}", c.to_ascii_uppercase())?;
        }
        Ok(())
    }
}

fn until(now: Timestamp, seconds: i64) -> Timestamp {
    Timestamp::from_unix(now.unix() + seconds)
}

impl Hitode {
    /// Makes a code for each of these workers, for all or none. `unknown` and `erased` are the errors if one does not exist, or
    /// was erased.
    async fn make_codes<E: From<Failure> + Copy + Send + 'static>(
        &self,
        of: Vec<HumanId>,
        [unknown, erased]: [E; 2],
    ) -> Result<(Vec<Code>, Timestamp), E> {
        let codes: Vec<Code> = of.into_iter().map(Code::mint).collect();
        let made: Vec<_> = codes.iter().map(|code| (code.of, code.digest())).collect();
        let ends_at = until(self.now(), LASTS);
        self.write(Actor::Operator, move |tx| make(tx, &made, ends_at, [unknown, erased]))
            .await?;
        Ok((codes, ends_at))
    }
}

impl operator::CreateHumanCode for Hitode {
    async fn create_human_code(
        &self,
        request: operator::create_human_code::Request,
    ) -> Result<operator::create_human_code::Success, operator::create_human_code::Error> {
        use operator::create_human_code::{Error, Success};
        let (codes, ends_at) = self
            .make_codes(vec![request.human.id], [Error::AbsentHuman, Error::Erased])
            .await?;
        let code = codes.iter().map(Code::to_string).collect();
        Ok(Success { code, ends_at })
    }
}

impl operator::CreateHumanCodes for Hitode {
    async fn create_human_codes(
        &self,
        request: operator::create_human_codes::Request,
    ) -> Result<operator::create_human_codes::Success, operator::create_human_codes::Error> {
        use operator::create_human_codes::{Error, Success};
        let (codes, ends_at) = self.make_codes(request.body.ids, [Error::UnknownHuman; 2]).await?;
        let codes = codes.into_iter().map(|code| contract::HumanCode {
            id: code.of,
            code: code.to_string(),
        });
        let codes = codes.collect();
        Ok(Success { codes, ends_at })
    }
}

impl join::CreateSession for Hitode {
    async fn create_session(&self, request: join::create_session::Request) -> Result<(), join::create_session::Error> {
        use join::create_session::Error;
        let code = Code::parse(&request.body.code).ok_or(Error::WrongCode)?;
        let token = Digest::from_hex(&request.body.token_digest).ok_or(Error::WrongCode)?;
        // A token identifies one worker. That two have drawn the same one is no chance.
        let holder = self.look(|mirror| mirror.humans.admit(&token))?;
        if holder.is_some_and(|holder| holder.id != code.of) {
            return Err(Error::WrongCode);
        }
        let now = self.now();
        self.write(Actor::Operator, move |tx| exchange(tx, &code, &token, now))
            .await
    }
}

/// Stores the codes of these workers. Their former codes end.
fn make<D: Copy + From<Failure>>(
    tx: &mut Tx<'_>,
    codes: &[(HumanId, Digest)],
    ends_at: Timestamp,
    [unknown, erased]: [D; 2],
) -> Decided<(), D> {
    for (id, digest) in codes {
        let human: Option<Human> = tx.get(*id)?;
        let mut human = human.ok_or(unknown)?;
        if human.erased {
            return Err(erased.into());
        }
        end_code(&mut human);
        human.code_digest = Some(digest.to_hex());
        human.code_ends_at = Some(ends_at);
        tx.put(&human)?;
    }
    Ok(())
}

/// Makes the digest of a token that of the worker whose code this is. The same again changes nothing.
fn exchange(tx: &mut Tx<'_>, code: &Code, token: &Digest, now: Timestamp) -> Decided<(), join::create_session::Error> {
    let wrong = join::create_session::Error::WrongCode;
    let human: Option<Human> = tx.get(code.of)?;
    let is_right = |human: &Human| {
        let digest = human.code_digest.as_deref().and_then(Digest::from_hex);
        digest.is_some_and(|digest| digest.matches(&code.digest()))
    };
    let mut human = human.filter(is_right).ok_or(wrong)?;
    let ends_at = human.code_ends_at.filter(|ends_at| now < *ends_at).ok_or(wrong)?;
    let token = Some(token.to_hex());
    if human.suspended {
        return Err(wrong.into());
    }
    if human.code_token.is_some() {
        let is_repeated = human.code_token == token && human.token_digest == token;
        return is_repeated.then_some(()).ok_or_else(|| wrong.into());
    }
    human.code_token.clone_from(&token);
    human.code_ends_at = Some(ends_at.min(until(now, REPEATABLE)));
    human.token_digest = token;
    tx.put(&human)?;
    tx.await_everywhere();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = Code {
            of: HumanId::new(106),
            random: "k3qf8zdm7wxa2b10".to_owned(),
        };
        assert_eq!(code.to_string(), "106-K3QF-8ZDM-7WXA-2B10");
        for typed in [
            "106-K3QF-8ZDM-7WXA-2B10",
            " 106 k3qf 8zdm 7wxa 2b1o\n",
            "106k3qf8zdm7wxa2blo",
            "lO6-K3QF-8ZDM-7WXA-2BIO",
            "１０６－Ｋ３ＱＦ－８ＺＤＭ－７ＷＸＡ－２Ｂ１０",
            "106–K3QF—8ZDM‐7WXA−2B10",
        ] {
            assert_eq!(Code::parse(typed), Some(code.clone()), "{typed}");
        }
    }

    #[test]
    fn what_is_no_code_is_none() {
        for typed in [
            "",
            "106",
            "K3QF-8ZDM-7WXA-2B10",
            "-K3QF-8ZDM-7WXA-2B10",
            "106-K3QF-8ZDM-7WXA-2B1U",
            "x-K3QF-8ZDM-7WXA-2B10",
            "99999999999999999999-K3QF-8ZDM-7WXA-2B10",
            "東京東京東京東京東京東京",
        ] {
            assert_eq!(Code::parse(typed), None, "{typed}");
        }
    }

    #[test]
    fn each_code_is_another_and_can_be_read() {
        let codes: Vec<_> = (1..=200).map(|id| Code::mint(HumanId::new(id))).collect();
        let mut random: Vec<_> = codes.iter().map(|code| &code.random).collect();
        random.sort_unstable();
        random.dedup();
        assert_eq!(random.len(), 200);
        assert!(
            codes
                .iter()
                .all(|code| Code::parse(&code.to_string()).as_ref() == Some(code))
        );
    }
}
