//! Values of the contract as Rust literals: digits in groups of three, no type suffix.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

/// A number that is not negative.
pub(crate) fn count(number: u64) -> Literal {
    grouped(&number.to_string())
}

/// A size or an index.
pub(crate) fn size(number: usize) -> Literal {
    grouped(&number.to_string())
}

/// A whole number.
pub(crate) fn whole(number: i64) -> TokenStream {
    let sign = (number < 0).then(|| quote!(-));
    let digits = grouped(&number.unsigned_abs().to_string());
    quote!(#sign #digits)
}

/// A number.
pub(crate) fn float(number: f64) -> TokenStream {
    let sign = number.is_sign_negative().then(|| quote!(-));
    let plain = Literal::f64_unsuffixed(number.abs()).to_string();
    let (digits, places) = plain.split_once('.').unwrap_or((&plain, "0"));
    let literal = parsed(&format!("{}.{places}", in_groups(digits)));
    quote!(#sign #literal)
}

/// `Some(value)` or `None`.
pub(crate) fn option<T: ToTokens>(value: Option<T>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}

fn grouped(digits: &str) -> Literal {
    parsed(&in_groups(digits))
}

fn parsed(text: &str) -> Literal {
    text.parse().expect("digits are a literal")
}

/// `1000000` → `1_000_000`
fn in_groups(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        // Four digits need no separator.
        if index > 0 && digits.len() > 4 && (digits.len() - index).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

/// A place in a list of the contract; the greatest number if there is none.
pub(crate) fn place(place: Option<usize>) -> Literal {
    Literal::u16_unsuffixed(place.and_then(|place| u16::try_from(place).ok()).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tokens: TokenStream, expected: &str) {
        assert_eq!(tokens.to_string().replace(' ', ""), expected);
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        for (number, expected) in [(0, "0"), (4096, "4096"), (16_384, "16_384"), (1_000_000, "1_000_000")] {
            check(count(number).into_token_stream(), expected);
        }
        check(whole(i64::MIN), "-9_223_372_036_854_775_808");
    }

    #[test]
    fn numbers_keep_their_sign_and_their_places() {
        for (number, expected) in [
            (0.0, "0.0"),
            (-0.5, "-0.5"),
            (12_345.678_9, "12_345.6789"),
            (1e7, "10_000_000.0"),
        ] {
            check(float(number), expected);
        }
    }
}
