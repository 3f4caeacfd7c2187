//! The macro `section!`, which declares a section of the language: each key is stated once.

/// Declares a map with a fixed set of keys: its entry in the grammar, its struct, and its reader. For each key it states
/// whether it is required, the type of its value (a [`Value`](super::Value)), and its description:
///
/// ```text
/// name: required(T), doc "…";                      T::Out; a missing key is reported
/// name: optional(T), absent "…", doc "…";          Option<T::Out>
/// name: default(T), absent "…", doc "…";           T::Out, empty if the key is absent
/// field = "key": …                                 if the field has another name
/// choice(value: U, key) { "key"(T) => make, … }    exactly one of these keys; the field `key` is the key itself
/// ```
///
/// `with head` and `with at` add the field `at`: that span of the [node](crate::yaml::Node).
macro_rules! section {
    (
        $(#[$meta:meta])*
        $table:ident: $name:ident = $what:literal at $path:literal $(with $at:ident)?;
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
    ) => {
        $(#[$meta])*
        pub static $table: $crate::language::Section = $crate::language::Section {
            what: $what,
            stands: $path,
            doc: $about,
            example: $sample,
            keys: &[$(
                $($crate::language::Key {
                    name: section!(@name $field $($key)?),
                    form: section!(@form $of, $($example)?),
                    presence: section!(@presence $mode $($absent)?),
                    doc: $doc,
                    makes: concat!($($effect)?),
                    example: concat!($($example)?),
                },)*
                $($($crate::language::Key {
                    name: $option,
                    form: section!(@form $inner,),
                    presence: $crate::language::Presence::Choice,
                    doc: $doc_of_option,
                    makes: $effect_of_option,
                    example: concat!($($of_option)?),
                },)*)?
            )*],
        };

        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $(
                $(#[doc = $doc] pub $field: section!(@type $mode $of),)*
                $(
                    $(#[doc = "The chosen key."] pub $chosen: $crate::spec::Word,)?
                    #[doc = "The value of the chosen key."] pub $value: $kind,
                )?
            )*
            $(#[doc = concat!("The span `", stringify!($at), "` of its node.")] pub at: $crate::spec::Span,)?
        }

        impl $crate::syntax::Value for $name {
            const FORM: $crate::language::Form = $crate::language::Form::Section(&$table);
            type Out = Self;

            fn read(
                node: &$crate::yaml::Node,
                form: &'static $crate::language::Form,
                diagnostics: &mut Vec<$crate::Diagnostic>,
            ) -> Self {
                let mut m = $crate::read::Members::of(node, &$table, form, diagnostics);
                $($(
                    let (_key, $value) = m.choice([$(
                        ($option, |node, found| $make(<$inner as $crate::syntax::Value>::item(node, found))),
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
    (@form $of:ty, $($example:literal)?) => { <$of as $crate::syntax::Value>::FORM$(.with_example($example))? };
    (@presence required) => { $crate::language::Presence::Required };
    (@presence $mode:ident $absent:literal) => { $crate::language::Presence::Optional($absent) };
    (@type optional $of:ty) => { Option<<$of as $crate::syntax::Value>::Out> };
    (@type $mode:ident $of:ty) => { <$of as $crate::syntax::Value>::Out };
}
pub(crate) use section;
