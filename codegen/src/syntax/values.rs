//! The values of keys. One type states the form of a value in the grammar, what is kept of it, and how it is read.

use crate::diagnostic::Diagnostic;
use crate::language::{self, Form, GREATEST, Name, Scalar, Uses};
use crate::read::{
    boolean, constraint, enum_value, envelope_value, filter, formed, forms, guard, number, rate, type_use, unique,
    whole, without_duplicates, word, wrong_form,
};
use crate::spec::{self, Num, Table, TypeUse, Word};
use crate::yaml::{Node, Value as Tree};
use std::marker::PhantomData;

/// A value of a key, of a list or of a map.
pub trait Value {
    /// Its form in the grammar.
    const FORM: Form;
    /// An example of a list or a map of such values, if no key states one.
    const SEVERAL: &'static str = "";
    /// What is kept of it.
    type Out;

    /// Reads it. `form` is [`Value::FORM`], with the example of the key. An absent node is read as an empty value, without
    /// a diagnostic.
    fn read(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Self::Out;

    /// Reads it where no key states an example: in a list, in a map, or as a choice.
    fn item(node: &Node, diagnostics: &mut Vec<Diagnostic>) -> Self::Out {
        Self::read(node, const { &Self::FORM }, diagnostics)
    }
}

/// Scalars: the form of each, what is kept of it, its reader, and an example of several.
macro_rules! scalars {
    ($($name:ident: $out:ty = $scalar:expr, $read:expr $(, $several:literal)?;)*) => {
        $(
            #[doc = concat!("`", stringify!($scalar), "`")]
            pub struct $name;

            impl Value for $name {
                const FORM: Form = Form::Scalar($scalar);
                $(const SEVERAL: &'static str = $several;)?
                type Out = $out;

                fn read(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> $out {
                    $read(node, form, diagnostics)
                }
            }
        )*
    };
}

scalars! {
    Text: Word = Scalar::Text, word;
    Version: Word = Scalar::Version, formed(forms::is_version);
    Url: Word = Scalar::Url, formed(forms::is_url);
    Email: Word = Scalar::Email, formed(forms::is_email);
    Template: Word = Scalar::Template, word;
    HeaderTemplate: Word = Scalar::HeaderTemplate, word;
    NodePath: Word = Scalar::NodePath, word;
    Characters: Word = Scalar::Characters, word;
    TypeName: Word = Scalar::TypeName, word;
    Base: Word = Scalar::Base, word;
    Route: Word = Scalar::Route, word;
    SortKey: Word = Scalar::SortKey, word;
    Source: Word = Scalar::Source, word;
    Guard: Word = Scalar::Guard, word;
    Constraint: Word = Scalar::Constraint, word;
    Filter: Word = Scalar::Filter, word;
    Method: Word = Scalar::OneOf(language::OF_HTTP), word;
    Per: Word = Scalar::OneOf(language::PER), word;
    Counts: Word = Scalar::OneOf(language::COUNTS), word;
    StepName: Word = Scalar::OneOf(language::STEPS), word;
    BidiControls: Word = Scalar::OneOf(language::BIDI_CONTROLS), word;
    Any: Word = Scalar::OneOf(language::ANY), word;
    Boolean: bool = Scalar::Boolean, boolean;
    Number: Num = Scalar::Number, number;
    Integer: Num = Scalar::Integer, whole(-GREATEST);
    Status: Num = Scalar::Status, whole(-GREATEST);
    Rate: spec::Rate = Scalar::Rate, rate;
    SuccessValue: spec::EnvelopeValue = Scalar::EnvelopeValue(language::OF_SUCCESS), envelope_value;
    ErrorValue: spec::EnvelopeValue = Scalar::EnvelopeValue(language::OF_ERROR), envelope_value;
    EnumValue: (Word, Option<Word>) = Scalar::EnumValue, enum_value, "[red, green]";
    StoredType: TypeUse = Scalar::TypeUse(Uses::Stored), type_use, "{ name: name, pages: count? }";
    JoinedType: TypeUse = Scalar::TypeUse(Uses::Joined), type_use;
    BodyType: TypeUse = Scalar::TypeUse(Uses::Body), type_use;
    PathType: TypeUse = Scalar::TypeUse(Uses::Path), type_use;
    QueryType: TypeUse = Scalar::TypeUse(Uses::Query), type_use;
    AnswerType: TypeUse = Scalar::TypeUse(Uses::Answer), type_use;
    AnswerMember: TypeUse = Scalar::TypeUse(Uses::AnswerMember), type_use, "{ name: name, pages: count? }";
}

/// A whole number, `LEAST` or more.
pub struct Count<const LEAST: u32>;

impl<const LEAST: u32> Value for Count<LEAST> {
    const FORM: Form = Form::Scalar(Scalar::Count(LEAST));
    type Out = Num;

    fn read(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Num {
        whole(i64::from(LEAST))(node, form, diagnostics)
    }
}

/// A kind of names: declared as the keys of a map, used as values.
pub trait Named {
    /// The kind.
    const NAME: Name;
}

impl<N: Named> Value for N {
    const FORM: Form = Form::Scalar(Scalar::Name(N::NAME));
    const SEVERAL: &'static str = "[back, lost]";
    type Out = Word;

    fn read(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Word {
        word(node, form, diagnostics)
    }
}

/// The kinds of names, as types.
pub mod name {
    macro_rules! names {
        ($($name:ident),*) => {
            $(
                #[doc = concat!("[`Name::", stringify!($name), "`](super::Name::", stringify!($name), ")")]
                pub struct $name;

                impl super::Named for $name {
                    const NAME: super::Name = super::Name::$name;
                }
            )*
        };
    }
    names!(
        Service,
        Decision,
        ErrorRow,
        Limit,
        Quota,
        Credential,
        Type,
        Enum,
        EnumValue,
        States,
        Object,
        Input,
        Resource,
        Field,
        Member,
        View,
        Surface,
        Operation,
        PathParameter,
        Parameter,
        Sibling,
        EnvelopeMember,
        Header,
        Test,
        Prefix
    );
}

/// A list of distinct items.
pub struct List<T>(PhantomData<T>);

impl<T: Value<Out: Item>> Value for List<T> {
    const FORM: Form = Form::List {
        of: &T::FORM,
        example: T::SEVERAL,
    };
    type Out = Vec<T::Out>;

    fn read(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Self::Out {
        let Tree::List(items) = &node.form else {
            wrong_form(node, form, diagnostics);
            return Vec::new();
        };
        let items = items.iter().map(|item| T::item(item, diagnostics)).collect();
        unique(items, T::Out::name, diagnostics)
    }
}

/// An item of a list, which its name distinguishes from the others.
pub trait Item {
    /// Its name.
    fn name(&self) -> Word;
}

impl Item for Word {
    fn name(&self) -> Word {
        self.clone()
    }
}

impl Item for Num {
    fn name(&self) -> Word {
        Word {
            text: self.value.to_string(),
            at: self.at,
        }
    }
}

impl Item for (Word, Option<Word>) {
    fn name(&self) -> Word {
        self.0.clone()
    }
}

/// A word with a syntax of its own.
pub trait Expression: Value<Out = Word> {
    /// What it states.
    type Parsed;
    /// Parses it. `None` after a diagnostic.
    const PARSE: fn(&Word, &mut Vec<Diagnostic>) -> Option<Self::Parsed>;
}

impl Expression for Guard {
    type Parsed = spec::Guard;
    const PARSE: fn(&Word, &mut Vec<Diagnostic>) -> Option<spec::Guard> = guard;
}

impl Expression for Filter {
    type Parsed = spec::Filter;
    const PARSE: fn(&Word, &mut Vec<Diagnostic>) -> Option<spec::Filter> = filter;
}

impl Expression for Constraint {
    type Parsed = (Word, Word);
    const PARSE: fn(&Word, &mut Vec<Diagnostic>) -> Option<(Word, Word)> = constraint;
}

/// A list of distinct expressions.
pub struct Expressions<T>(PhantomData<T>);

impl<T: Expression> Value for Expressions<T> {
    const FORM: Form = List::<T>::FORM;
    type Out = Vec<T::Parsed>;

    fn read(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Self::Out {
        let words = List::<T>::read(node, form, diagnostics);
        words.iter().filter_map(|word| T::PARSE(word, diagnostics)).collect()
    }
}

/// A map whose keys are names that the contract chooses.
pub struct Map<N, T>(PhantomData<(N, T)>);

impl<N: Named, T: Value> Value for Map<N, T> {
    const FORM: Form = Form::Map {
        names: N::NAME,
        of: &T::FORM,
        example: T::SEVERAL,
    };
    type Out = Table<T::Out>;

    fn read(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Self::Out {
        let Tree::Map(entries) = &node.form else {
            wrong_form(node, form, diagnostics);
            return Table::default();
        };
        let entries = without_duplicates(entries, diagnostics).into_iter();
        entries
            .map(|(name, node)| (name.clone(), T::item(node, diagnostics)))
            .collect()
    }
}
