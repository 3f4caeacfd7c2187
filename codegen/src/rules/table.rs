//! The table of rules: how severe each one is, and what else decides whether and to whom it is reported.

use std::fmt;

/// The severity of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A change: correct clients stay correct.
    Compatible,
    /// A change: clients that rely on more than the contract states may fail.
    Risky,
    /// A change: a correct client, worker or operator may fail.
    Breaking,
    /// A warning: the contract is valid, and probably does not say what is meant.
    Warning,
    /// An error: the contract is invalid.
    Mistake,
}

impl Severity {
    /// Its name in diagnostics: `error`, `breaking`, `risky`, `compatible`.
    pub fn label(self) -> &'static str {
        match self {
            Severity::Compatible => "compatible",
            Severity::Risky => "risky",
            Severity::Breaking => "breaking",
            Severity::Warning => "warning",
            Severity::Mistake => "error",
        }
    }
}

/// What else is known of a rule.
pub(crate) enum Class {
    Mistake(Needs),
    Warning,
    Breaking(Side),
    Risky(Side),
    Compatible,
}

/// The parts of a file that must be intact for an error to be certain. Broken entries of other sections are skipped.
pub(crate) enum Needs {
    Nothing,
    /// These sections, which declare the name that the rule does not find.
    Names(&'static [&'static str]),
    /// All sections: each may declare the name that the rule does not find.
    AnyName,
    AllSections,
    /// All sections, and these with all their entries: the rule reports something that is missing.
    Entries(&'static [&'static str]),
}

/// Those whom a change of values affects.
#[derive(PartialEq, Eq)]
pub(crate) enum Side {
    /// The operations that take the values.
    Requests,
    /// The operations that show the values.
    Answers,
    /// No operation: the stored records.
    Records,
    Everyone,
}

use Needs::{AllSections, AnyName, Entries, Names, Nothing};
use Side::{Answers, Everyone, Records, Requests};

macro_rules! rules {
    ($($class:ident $(($of:expr))?: $($rule:ident)*;)*) => {
        /// A rule. Its name is that of the variant, as in `unknown-type`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Rule {
            $($(#[doc = stringify!($rule)] $rule,)*)*
        }

        impl Rule {
            pub(super) const ALL: &[Rule] = &[$($(Rule::$rule,)*)*];

            pub(crate) fn class(self) -> Class {
                match self {
                    $($(Rule::$rule)|* => Class::$class $(($of))?,)*
                }
            }
        }
    };
}

rules! {
    Mistake(Nothing):
        Syntax WrongForm MissingKey UnknownKey DuplicateKey DuplicateItem BadType BadRate BadGuard BadConstraint
        BadFilter BadOrigin BadCondition BadMakes CommentInText BadDescription NameStyle NameTwice OperationTwice ReservedName MemberTwice ResourceId CyclicObject
        Bounds BadChars BadRoute CollidingRoutes CollidingBases BodyOnGet EmptyBody BodyResource Credential HeaderName
        HeaderValue WrongStatus DuplicateStep ImpossibleOrder UnknownLanguage;
    Mistake(AllSections):
        MisplacedType DeepNesting BadDefault NoDefault States UnreachableState IdleTransition PathParameter
        GivenByService ParameterTwice PatchOverwrites Constraint Filter Pages Nearest GuardTarget UnguardedId GuardParent
        GuardOwner UnprovenId UnprovenAnswer GuardPlan GuardPrivate Realm HiddenListed GuardOrder OriginType OriginLink OriginCircle ConditionTarget Distinct Ids SynonymTwice EffectTarget UnfilledField
        UnclearId BadValue UnfilledAnswer NoEffect DryRun Counts EventCause EventRecipient EventData NoEvent Feed Quota Limit Transitions Envelope
        ToolTwice ToolArgument ToolSecret UnusedTool Content Unit UnknownText
        EmptyView ShownSecret Sibling ResponseHeader Sort BadPlaceholder SaysTooLittle SameRefusal Untestable DecisionNode;
    Mistake(AnyName): UnknownField;
    Mistake(Names(&[])): UnknownStep;
    Mistake(Names(&["types", "enums", "objects", "inputs"])): UnknownType;
    Mistake(Names(&["resources"])): UnknownResource UnknownView;
    Mistake(Names(&["enums"])): UnknownEnum UnknownEnumValue;
    Mistake(Names(&["inputs"])): UnknownInput;
    Mistake(Names(&["credentials"])): UnknownCredential;
    Mistake(Names(&["limits"])): UnknownLimit;
    Mistake(Names(&["quotas"])): UnknownQuota;
    Mistake(Names(&["states"])): UnknownStates;
    Mistake(Names(&["decisions"])): UnknownDecision;
    Mistake(Names(&["errors"])): UnknownErrorRow;
    Mistake(Entries(&["surfaces"])): EmptySurface UnusedLimit UnusedQuota UnusedCredential;
    Mistake(Entries(&["credentials", "types", "objects", "inputs", "resources", "surfaces"])): UnusedOpen;
    Mistake(Entries(&["api"])): StatusNotListed;
    Mistake(Entries(&["errors"])): MissingErrorRow;
    Mistake(Entries(&["types", "enums", "objects", "inputs", "resources", "surfaces"])):
        UnusedType UnusedEnum UnusedObject UnusedInput;
    Mistake(Entries(&["resources", "surfaces"])): UnusedView;
    Mistake(Entries(&["resources"])): UnusedField;
    Mistake(Entries(&["limits"])): UnusedLimitHeaders;
    Mistake(Entries(&["credentials", "surfaces"])): UnusedIdempotency;
    Mistake(Entries(&["limits", "quotas", "credentials", "resources", "surfaces"])): UnusedErrorRow;
    Mistake(Entries(&["api", "errors", "surfaces"])): UnusedStatus;

    Warning: UncheckedId IdleParameter MissingText;

    Breaking(Everyone):
        BodyBytesLowered BodySecondsLowered BodyRateRaised EnvelopeMemberRemoved EnvelopeMemberRenamed
        EnvelopeMemberChanged EnvelopeMemberOptional ErrorMediaTypeChanged ErrorAdded ErrorCodeRenamed ErrorStatusChanged LimitLowered
        LimitAdded LimitCodeRenamed OwnerLimitLowered OwnerLimitAdded LimitScopeChanged LimitMethodMoved QuotaLowered
        QuotaAdded QuotaScopeChanged OperationQuotaAdded OperationQuotaChanged InFlightLowered ResponseBytesLowered ValueRetyped ValueRenamed
        BodyAdded BodyRemoved BodyReplaced PartialBodyChanged DataRemoved DataReplaced RequiredFieldAdded
        RequiredFieldRenamed IdsChanged NullsChanged OwnerChanged ResourceHidden RealmAdded RealmChanged HidingAdded HidingChanged
        CredentialHeaderChanged CredentialCallerChanged
        CredentialCountingChanged SuspensionAdded GuardPlanAdded GuardPlanChanged GuardExistsAdded GuardParentAdded
        GuardOwnerAdded StatesAdded StateInitialChanged TransitionRemoved TransitionsRestricted
        OperationTransitionsAdded SurfaceRemoved SurfaceBaseChanged SurfaceCredentialAdded SurfaceCredentialChanged
        SurfaceLimitAdded OperationRemoved OperationMoved ConstraintAdded DefaultOrderChanged PagesRemoved PagesChanged OperationErrorAdded
        SuccessStatusChanged SuccessBodyChanged SuccessHeaderRemoved SuccessHeaderChanged MessageRemoved SiblingRemoved McpRemoved McpMoved ToolRemoved ToolRenamed
        IdempotencyRemoved IdempotencyHeaderChanged IdempotencyShortened
        EventRemoved EventCausesChanged EventDataRemoved EventDataChanged EventsKeptShorter;
    Breaking(Answers):
        AnswerHeaderRemoved AnswerHeaderRenamed AnswerHeaderChanged AnswerValueAdded AnswerMemberRemoved
        AnswerMemberRenamed AnswerNullable;
    Breaking(Requests):
        RequestNarrowed RequestValueRemoved RequiredMemberAdded RequestMemberRemoved RequestMemberRenamed
        RequestMemberRequired;
    Breaking(Records): StoredRetyped StoredValueRemoved StoredValueRenamed FieldRequired;

    Risky(Everyone):
        EnvelopeMemberAlways DecisionRemoved DecisionChanged ErrorRemoved ErrorTextChanged ErrorOrderChanged
        GuessLimitLowered EnumReordered DefaultChanged FieldRemoved FieldRenamed FieldDefaultChanged ResourceRemoved
        ResourceRevealed RealmRemoved HidingRemoved CredentialPlanChanged SuspensionRemoved SuspensionChanged CredentialPrefixChanged
        CredentialLengthChanged GuardPlanRemoved GuardExistsRemoved GuardParentRemoved GuardOwnerRemoved OperationOpened
        GuardsReordered StatesRemoved FinalStateLeft TransitionsFreed OperationTransitionsRemoved
        SurfaceCredentialRemoved MeaningChanged MeaningRemoved SurfaceRenamed OperationRenamed SortChanged FilterAdded FilterRemoved OperationErrorRemoved;
    Risky(Answers): AnswerHeaderTextChanged AnswerWidened AnswerSourceChanged;
    Risky(Records): StoredNarrowed;

    Compatible:
        MeaningAdded ServiceRenamed ServiceTitleChanged ServiceVersionChanged ServiceContactChanged ServiceLicenseChanged
        DescriptionChanged BodyBytesRaised BodySecondsRaised BodyRateLowered EnvelopeMemberAdded DecisionAdded
        DecisionGapChanged DecisionProofChanged DecisionRenamed ErrorRenamed ErrorWordingChanged HelpChanged
        UntestableChanged LimitRaised LimitRemoved LimitRenamed OwnerLimitRaised OwnerLimitRemoved GuessLimitRaised
        LimitMethodAdded LimitMethodRemoved QuotaRaised QuotaRemoved QuotaRenamed OperationQuotaRemoved InFlightRaised ResponseBytesRaised
        EnumPartChanged TypeRenamed EnumRenamed ObjectRenamed PathParameterRenamed BodyExtended BodyResourceChanged
        InputRenamed DataAdded DataExtended ViewRenamed JoinedFieldRenamed FieldAdded FieldOptional ResourceAdded
        ResourceRenamed CredentialRenamed CredentialShownChanged OperationClosed OperationOpenChanged TransitionAdded
        McpAdded McpInstructionsChanged ToolAdded ToolDocChanged SurfaceAdded SurfaceLimitRemoved
        IdempotencyAdded IdempotencyLengthened
        OperationAdded OperationDocChanged ConstraintRemoved PagesAdded PagesExtended
        MessageAdded MessageChanged SuccessHeaderAdded SiblingAdded AnswerHeaderAdded AnswerNarrowed AnswerValueRemoved AnswerMemberAdded
        AnswerNeverNull RequestWidened RequestValueAdded RequestMemberAdded RequestMemberOptional StoredWidened
        StoredValueAdded EventAdded EventDataAdded EventsKeptLonger;
}

impl Severity {
    /// Whether it is of a contract, and not of a change between two.
    pub fn is_of_contract(self) -> bool {
        matches!(self, Severity::Warning | Severity::Mistake)
    }
}

impl Rule {
    /// Its severity.
    pub fn severity(self) -> Severity {
        match self.class() {
            Class::Mistake(_) => Severity::Mistake,
            Class::Warning => Severity::Warning,
            Class::Breaking(_) => Severity::Breaking,
            Class::Risky(_) => Severity::Risky,
            Class::Compatible => Severity::Compatible,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
