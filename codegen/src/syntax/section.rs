//! The macro `section!`, which declares a section of the language: each key is stated once.

/// Declares a map with a fixed set of keys: its entry in the grammar, its struct, and its reader. For each key it states
/// whether it is required, the type of its value (a [`Value`](super::value::Value)), and its description:
///
/// ```text
/// name: required(T), doc "…";                      T::Out; a missing key is reported
/// name: optional(T), absent "…", doc "…";          Option<T::Out>
/// name: default(T), absent "…", doc "…";           T::Out, empty if the key is absent
/// field = "key": …                                 if the field has another name
/// choice(value: U, key) { "key"(T) => make, … }    exactly one of these keys; the field `key` is the key itself
/// ```
///
/// `aliases` are keys of other languages, each with what to write instead. `with head` and `with at` add the field `at`: that span of the [node](crate::yaml::Node).
macro_rules! section {
    (
        $(#[$meta:meta])*
        $name:ident = $what:literal at $path:literal $(with $at:ident)?;
        doc $about:literal;
        example $sample:literal;
        $(
            keys { $(
                $field:ident $(= $key:literal)?: $mode:ident($of:ty)
                    $(, absent $absent:literal)? $(, example $example:literal)?,
                    doc $doc:literal $(, effect $effect:literal)?;
            )* }
            $(choice($value:ident: $kind:ty $(, $chosen:ident)?) { $(
                $option:literal($inner:ty) => $make:expr $(, example $of_option:literal)?,
                    doc $doc_of_option:literal, effect $effect_of_option:literal;
            )* })?
        )*
        $(aliases { $($($foreign:literal)+ => $help:literal;)* })?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $(
                $(#[doc = $doc] pub $field: section!(@type $mode $of),)*
                $(
                    $(#[doc = "The chosen key."] pub $chosen: $crate::span::Word,)?
                    #[doc = "The value of the chosen key."] pub $value: $kind,
                )?
            )*
            $(#[doc = concat!("The span `", stringify!($at), "` of its node.")] pub at: $crate::span::Span,)?
        }

        impl $name {
            /// Its entry in the grammar.
            pub const SECTION: &'static $crate::syntax::grammar::Section = &$crate::syntax::grammar::Section {
                what: $what,
                path: $path,
                doc: $about,
                example: $sample,
                keys: &[$(
                    $($crate::syntax::grammar::Key {
                        name: section!(@name $field $($key)?),
                        form: section!(@form $of, $($example)?),
                        presence: section!(@presence $mode $($absent)?),
                        doc: $doc,
                        effect: concat!($($effect)?),
                        example: concat!($($example)?),
                    },)*
                    $($($crate::syntax::grammar::Key {
                        name: $option,
                        form: section!(@form $inner,),
                        presence: $crate::syntax::grammar::Presence::Choice,
                        doc: $doc_of_option,
                        effect: $effect_of_option,
                        example: concat!($($of_option)?),
                    },)*)?
                )*],
                aliases: &[$($((&[$($foreign),+], $help),)*)?],
            };
        }

        impl $crate::syntax::value::Value for $name {
            const FORM: $crate::syntax::grammar::Form = $crate::syntax::grammar::Form::Section(Self::SECTION);
            type Out = Self;

            fn read(
                node: &$crate::yaml::Node,
                form: &'static $crate::syntax::grammar::Form,
                reader: &mut $crate::syntax::reader::Reader,
            ) -> Self {
                let mut m = $crate::syntax::read::Members::from_node(node, Self::SECTION, form, reader);
                $($(
                    let (_key, $value) = m.choice([$(
                        ($option, |node, found| $make(<$inner as $crate::syntax::value::Value>::item(node, found))),
                    )*]);
                    $(let $chosen = _key;)?
                )?)*
                let read = $name {
                    $(
                        $($field: m.$mode::<$of>(
                            section!(@name $field $($key)?),
                            const { &section!(@form $of, $($example)?) },
                        ),)*
                        $($($chosen,)? $value,)?
                    )*
                    $(at: node.$at,)?
                };
                m.done();
                read
            }
        }
    };

    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $key:literal) => { $key };
    (@form $of:ty, $($example:literal)?) => { <$of as $crate::syntax::value::Value>::FORM$(.with_example($example))? };
    (@presence required) => { $crate::syntax::grammar::Presence::Required };
    (@presence $mode:ident $absent:literal) => { $crate::syntax::grammar::Presence::Optional($absent) };
    (@type optional $of:ty) => { Option<<$of as $crate::syntax::value::Value>::Out> };
    (@type $mode:ident $of:ty) => { <$of as $crate::syntax::value::Value>::Out };
}
pub(crate) use section;
