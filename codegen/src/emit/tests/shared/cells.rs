//! Named tests, being gathered.

use crate::emit::shared::names;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The tests of one module; a name that is taken gets a number.
#[derive(Default)]
pub(crate) struct Cells {
    names: Vec<String>,
    tests: Vec<TokenStream>,
}

impl Cells {
    /// A test of this name: `attempt()` with these calls behind it.
    pub(crate) fn add(&mut self, name: &str, calls: TokenStream) {
        self.add_whole(name, quote!(attempt() #calls;));
    }

    /// A test of this name with this body.
    pub(crate) fn add_whole(&mut self, name: &str, body: TokenStream) {
        let mut name = names::snake(name);
        let again = self.names.iter().filter(|known| **known == name).count();
        self.names.push(name.clone());
        if again > 0 {
            name = format!("{name}_{}", again + 1);
        }
        let ident = names::value(&name);
        self.tests.push(quote! {
            #[test]
            fn #ident() {
                #body
            }
        });
    }
}

impl ToTokens for Cells {
    fn to_tokens(&self, out: &mut TokenStream) {
        out.extend(self.tests.iter().cloned());
    }
}
