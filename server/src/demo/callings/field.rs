//! Callings that are done where something happens: looking, recording, receiving.

use super::{Calling, Words};

pub(super) const CALLINGS: [Calling; 3] = [
    Calling {
        weight: 8,
        skills: &[
            "Event staff",
            "Reception",
            "Master of ceremonies",
            "Bartending",
            "Event photography",
            "Street interviews",
        ],
        rate: (1_200, 2_600),
        japanese: Words {
            headlines: &[
                "イベント運営・受付スタッフ",
                "展示会のコンパニオン経験{years}年",
                "司会・アナウンスいたします",
                "出張バーテンダー",
            ],
            openings: &[
                "展示会やコンサートの現場に{years}年立っています。",
                "地元のラジオ局で話していました。",
                "ホテルのバーで{years}年シェイカーを振りました。",
            ],
            details: &[
                "幕張とビッグサイトの動線は目をつぶっても歩けます。",
                "急な欠員の補充も経験があります。",
                "原稿があれば読み、なければ作ります。",
                "氷と道具は持ち込みます。",
            ],
        },
        english: Words {
            headlines: &[
                "Event staff who has seen it all",
                "Reception and stage announcements in two languages",
            ],
            openings: &[
                "I have worked trade fairs and concerts for {years} years.",
                "I used to read the news on a local radio station.",
            ],
            details: &[
                "Lanyards, queues, lost children: I stay calm.",
                "Give me a script and I read it; give me none and I write one.",
            ],
        },
    },
    Calling {
        weight: 9,
        skills: &[
            "Photography",
            "Event photography",
            "Product photography",
            "Video editing",
            "Drone filming",
            "Site inspection",
        ],
        rate: (2_000, 5_500),
        japanese: Words {
            headlines: &[
                "フリーカメラマン、{city}を拠点に活動",
                "商品撮影から空撮まで",
                "現地の写真を撮ってお送りします",
                "物件・店舗の撮影{years}年",
            ],
            openings: &[
                "写真館で{years}年修業して独立しました。",
                "不動産の物件撮影を中心に{years}年やっています。",
                "新聞社の写真部にいました。",
            ],
            details: &[
                "データは当日中にお渡しできます。",
                "ドローンは国家資格を取得し、飛行許可も包括で取っています。",
                "指定の構図・時刻どおりに撮るのが得意です。",
                "簡単な動画編集も込みの料金です。",
            ],
        },
        english: Words {
            headlines: &[
                "Photographer in {prefecture}",
                "I photograph places for people who cannot be there",
            ],
            openings: &[
                "I trained in a portrait studio and have been on my own for {years} years.",
                "Former newspaper photographer.",
            ],
            details: &[
                "Originals the same day, edited pictures the day after.",
                "Tell me the angle and the hour and you get exactly that.",
            ],
        },
    },
    Calling {
        weight: 9,
        skills: &[
            "Store visits",
            "Price survey",
            "Mystery shopping",
            "Data collection",
            "Street interviews",
            "Site inspection",
            "Photography",
        ],
        rate: (1_200, 2_300),
        japanese: Words {
            headlines: &[
                "店舗調査・価格調査を正確に",
                "覆面調査{years}年、報告書も書きます",
                "現地確認、写真とメモで報告します",
                "街頭アンケートの調査員です",
            ],
            openings: &[
                "調査会社の登録調査員を{years}年続けています。",
                "スーパーのバイヤーをしていました。",
                "国勢調査の調査員を三回務めました。",
            ],
            details: &[
                "棚割りと価格は写真とExcelでお渡しします。",
                "一日に15店舗まで回れます。",
                "見たことと思ったことを分けて書きます。",
                "公共交通機関で行けるところならどこへでも。",
            ],
        },
        english: Words {
            headlines: &[
                "I look at things and report exactly what I saw",
                "Store checks and price surveys in {prefecture}",
            ],
            openings: &[
                "I have been a field researcher for {years} years.",
                "I was a supermarket buyer, so I notice shelves.",
            ],
            details: &[
                "Up to fifteen shops a day, with photos and a spreadsheet.",
                "I keep what I saw and what I think in separate columns.",
            ],
        },
    },
];
