//! Callings that are mostly done with words, numbers and machines.

use super::{Calling, Words};

pub(super) const CALLINGS: [Calling; 5] = [
    Calling {
        weight: 8,
        skills: &[
            "English interpreting",
            "English translation",
            "Local guiding",
            "Proofreading",
            "Chinese interpreting",
            "Korean interpreting",
            "Sign language",
        ],
        rate: (2_400, 6_500),
        japanese: Words {
            headlines: &[
                "英日通訳・翻訳、{years}年",
                "通訳案内士（英語）",
                "商談の同席と議事録",
                "病院・役所への付き添い通訳",
            ],
            openings: &[
                "メーカーの海外営業を経て、通訳として{years}年になります。",
                "大学まで海外で過ごしました。",
                "全国通訳案内士の資格を持っています。",
            ],
            details: &[
                "工場見学や展示会の商談に慣れています。",
                "契約書の下訳は守秘契約を結んだうえでお受けします。",
                "電話一本の代行から承ります。",
                "専門は機械、食品、観光です。",
            ],
        },
        english: Words {
            headlines: &[
                "Interpreter, {years} years, factories and trade fairs",
                "Japanese and English, spoken and written",
            ],
            openings: &[
                "I interpreted for a machine tool maker before I went freelance {years} years ago.",
                "I grew up between Vancouver and {prefecture}.",
            ],
            details: &[
                "I also make phone calls to places that have no e-mail, which in Japan is most of them.",
                "Hospital visits, factory audits, school interviews: done them all.",
            ],
        },
    },
    Calling {
        weight: 7,
        skills: &[
            "Computer setup",
            "Device testing",
            "Wi-Fi installation",
            "Remote hands",
            "3D printing",
            "Data collection",
        ],
        rate: (1_800, 4_800),
        japanese: Words {
            headlines: &[
                "機器の設置・配線・動作確認",
                "データセンターの遠隔作業、代わりに手を動かします",
                "スマホ実機テスト承ります",
                "パソコンの困りごと、伺います",
            ],
            openings: &[
                "SIerで{years}年、現地作業を担当していました。",
                "電気工事士です。",
                "情報系の大学院生です。",
            ],
            details: &[
                "手元に検証用のAndroid端末が9台、iPhoneが4台あります。",
                "作業手順書どおりに、一手ずつ写真を残します。",
                "ラックへの搭載、ケーブルの張り替え、ランプの確認までできます。",
                "3Dプリンタはお預かりしたデータで当日出力できます。",
            ],
        },
        english: Words {
            headlines: &[
                "Remote hands for racks, phones and printers",
                "Hardware person in {prefecture}",
            ],
            openings: &[
                "I did on-site work for a systems integrator for {years} years.",
                "Graduate student in computer science with a soldering iron.",
            ],
            details: &[
                "I follow a runbook line by line and photograph every step.",
                "Nine Android phones and four iPhones are on my desk, waiting for your app.",
            ],
        },
    },
    Calling {
        weight: 6,
        skills: &[
            "Local guiding",
            "Tea ceremony",
            "Kimono dressing",
            "Calligraphy",
            "Music performance",
            "English interpreting",
        ],
        rate: (1_800, 4_500),
        japanese: Words {
            headlines: &[
                "書道師範、宛名書きから看板まで",
                "着付け{years}年、出張いたします",
                "{city}の歴史を歩いて案内します",
                "茶道・裏千家、体験会も",
            ],
            openings: &[
                "祖母の代から着付けを教えています。",
                "{city}の観光ボランティアガイドを{years}年続けています。",
                "書道教室を開いて{years}年になります。",
            ],
            details: &[
                "招待状の宛名は一通から承ります。",
                "成人式や結婚式の早朝の着付けも伺います。",
                "雨の日のための道順も用意しています。",
                "三味線の演奏は15分から。",
            ],
        },
        english: Words {
            headlines: &[
                "Walks through {prefecture} with someone who lives there",
                "Calligraphy, tea and kimono",
            ],
            openings: &[
                "I have shown visitors around for {years} years.",
                "I teach calligraphy to children in the afternoon and take commissions in the morning.",
            ],
            details: &[
                "I know which temples open early and which coffee shops open earlier.",
                "Envelopes, signs and certificates are written by hand, one at a time.",
            ],
        },
    },
    Calling {
        weight: 6,
        skills: &[
            "Tutoring",
            "Japanese lessons",
            "Proofreading",
            "English translation",
            "Form filling",
        ],
        rate: (1_500, 3_800),
        japanese: Words {
            headlines: &[
                "日本語教師、オンラインも対面も",
                "中学数学・英語の家庭教師",
                "文章の校正・校閲をします",
                "元教員、学び直しを手伝います",
            ],
            openings: &[
                "日本語学校で{years}年教えています。",
                "中学校の教員を{years}年務めました。",
                "出版社の校閲部にいました。",
            ],
            details: &[
                "機械翻訳の日本語を、人が書いたように直します。",
                "N1合格まで伴走した生徒が20人以上います。",
                "宿題は少なめ、質問は多めです。",
                "誤字だけでなく、事実関係も確かめます。",
            ],
        },
        english: Words {
            headlines: &[
                "Japanese teacher, patient",
                "I make Japanese text read as if a person wrote it",
            ],
            openings: &[
                "I have taught Japanese for {years} years.",
                "I proofread for a publishing house until last spring.",
            ],
            details: &[
                "Machine-translated text is my daily bread; I leave no trace of the machine.",
                "Twenty of my students have passed the N1.",
            ],
        },
    },
    Calling {
        weight: 6,
        skills: &[
            "Form filling",
            "Bookkeeping",
            "Mail scanning",
            "City office errands",
            "Reception",
            "Data collection",
        ],
        rate: (1_300, 2_900),
        japanese: Words {
            headlines: &[
                "書類の受け取り・スキャン・転送",
                "簿記2級、経理の手伝い",
                "登記簿・住民票の取得代行（委任状要）",
                "届いた郵便を開けて読み上げます",
            ],
            openings: &[
                "総務部で{years}年働いていました。",
                "税理士事務所に{years}年勤めました。",
                "在宅で事務代行をしています。",
            ],
            details: &[
                "法務局と市役所には毎週通っています。",
                "スキャンは300dpi、ファイル名の規則もお指定ください。",
                "手書きの伝票も読めます。",
                "窓口で断られたときは、理由と必要書類を確認してから帰ります。",
            ],
        },
        english: Words {
            headlines: &[
                "Paperwork in Japan, done by someone who likes it",
                "Mail opened, scanned and explained",
            ],
            openings: &[
                "I worked in general affairs for {years} years, which is the department that knows where the stamp is.",
                "I keep books for three small companies.",
            ],
            details: &[
                "I go to the Legal Affairs Bureau every week anyway.",
                "If the counter says no, I come back with the reason and the list of what is missing.",
            ],
        },
    },
];
