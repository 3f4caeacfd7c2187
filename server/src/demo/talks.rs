//! The demo's conversations.

use super::tasks::Poster::{self, Free, Verified};

/// A conversation: the first line is the account's.
#[derive(Debug)]
pub(super) struct Talk {
    pub(super) poster: Poster,
    /// The worker has this skill, and lives in this prefecture; anywhere if it is empty.
    pub(super) skill: &'static str,
    pub(super) prefecture: &'static str,
    pub(super) lines: &'static [Line],
}

/// One message.
#[derive(Debug)]
pub(super) enum Line {
    Agent(&'static str),
    Worker(&'static str),
}

use Line::{Agent, Worker};

/// In the order in which they begin.
pub(super) const TALKS: [Talk; 6] = [
    Talk {
        poster: Verified,
        skill: "Photography",
        prefecture: "東京都",
        lines: &[
            Agent(
                "こんにちは。北沢の店舗撮影の件でご連絡しました。木曜の午前10時ごろ、南向きの正面に日が当たる時間に撮影していただけますか。",
            ),
            Worker("ご連絡ありがとうございます。木曜10時、大丈夫です。看板は脚立なしで撮れる高さでしょうか。"),
            Agent("看板の下端は地面から約2.4 mです。脚立は不要です。"),
            Worker("承知しました。前日に天気を見て、雨なら金曜に変更のご相談をします。"),
            Agent("それで結構です。金曜も同じ時間で空けてあります。"),
        ],
    },
    Talk {
        poster: Verified,
        skill: "English interpreting",
        prefecture: "",
        lines: &[
            Agent(
                "Hello. We need an interpreter for half a day in Hamamatsu in about two weeks: two Danish engineers, a gear maker, much talk about tolerances. Would that be something for you?",
            ),
            Worker("Yes, I have done gear makers before. Is it consecutive only, and is there a dinner afterwards?"),
            Agent("Consecutive only, 13:00 to 17:00. No dinner. The glossary comes three days ahead."),
            Worker("Good. A glossary and a finished drawing are worth more than a dinner. Please count me in."),
        ],
    },
    Talk {
        poster: Verified,
        skill: "Device testing",
        prefecture: "",
        lines: &[
            Agent("決済画面の実機テストについて質問です。Android 11以前の端末は何台お持ちですか。"),
            Worker("Android 9が1台、10が2台、11が1台です。メーカーはばらばらです。"),
            Agent("十分です。テスト用ビルドを明日お送りします。"),
        ],
    },
    Talk {
        poster: Verified,
        skill: "Price survey",
        prefecture: "愛知県",
        lines: &[
            Agent("お米の価格調査、採用しました。調査票をお送りします。銘柄が読めない場合は写真だけで構いません。"),
            Worker("ありがとうございます。特売の値札は、通常価格と両方書きますか。"),
            Agent("はい、両方お願いします。特売の期間が書いてあれば、それも記録してください。"),
            Worker("分かりました。日曜の朝に回ります。"),
        ],
    },
    Talk {
        poster: Free,
        skill: "Local guiding",
        prefecture: "京都府",
        lines: &[
            Agent(
                "Could you tell me which way you would take from Kyoto Station with two large suitcases? Our guests always ask.",
            ),
            Worker("中央口ではなく八条口から出て、地下を通る道がいちばん楽です。段差が一か所だけあります。"),
            Agent("Thank you, that is a better route than ours. Would you film that one instead?"),
        ],
    },
    Talk {
        poster: Free,
        skill: "Calligraphy",
        prefecture: "",
        lines: &[
            Agent("封筒の宛名書き三十通をお願いできないかと思い、ご連絡しました。紙は当方からお送りします。"),
            Worker(
                "ありがとうございます。墨は濃いめと薄めのどちらがお好みでしょうか。お祝いの席でしたら濃墨をおすすめします。",
            ),
        ],
    },
];
