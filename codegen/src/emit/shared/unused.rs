//! What a contract offers, a crate need not use. Where it keeps the contract in a private module, as a program does, the
//! compiler would call the rest dead code; what generated code keeps to itself is still looked at.

use syn::{Attribute, Item, Visibility, parse_quote};

/// Lets these items go unused, as far as others see them; a module with all that is in it.
pub(crate) fn allow(items: &mut [Item]) {
    for attributes in items.iter_mut().filter_map(attributes_if_offered) {
        let docs = attributes
            .iter()
            .take_while(|attribute| attribute.path().is_ident("doc"));
        attributes.insert(docs.count(), parse_quote!(#[allow(dead_code)]));
    }
}

/// The attributes of an item, if it is one that others see. An `impl` of a trait is used with the trait.
fn attributes_if_offered(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    let (visibility, attributes) = match item {
        Item::Impl(item) => return item.trait_.is_none().then_some(&mut item.attrs),
        Item::Const(item) => (&item.vis, &mut item.attrs),
        Item::Enum(item) => (&item.vis, &mut item.attrs),
        Item::Fn(item) => (&item.vis, &mut item.attrs),
        Item::Mod(item) => (&item.vis, &mut item.attrs),
        Item::Struct(item) => (&item.vis, &mut item.attrs),
        Item::Trait(item) => (&item.vis, &mut item.attrs),
        Item::Type(item) => (&item.vis, &mut item.attrs),
        _ => return None,
    };
    matches!(visibility, Visibility::Public(_)).then_some(attributes)
}
