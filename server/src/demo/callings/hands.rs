//! Callings that are mostly done with one's hands, or on one's feet.

use super::{Calling, Words};

pub(super) const CALLINGS: [Calling; 6] = [
    Calling {
        weight: 15,
        skills: &[
            "Shopping",
            "Parcel pickup",
            "Queueing",
            "Key handover",
            "City office errands",
            "Store visits",
            "Driving",
        ],
        rate: (1_150, 1_900),
        japanese: Words {
            headlines: &[
                "{city}周辺の用事、何でも代行します",
                "買い物・受け取り・行列、代わりに行きます",
                "身軽な便利屋です",
                "役所まわりと受け取りが得意です",
            ],
            openings: &[
                "{city}に住んで{years}年、近所のことなら店の裏口まで知っています。",
                "買い物代行や荷物の受け取りを{years}年ほど続けています。",
                "会社を辞めてから、人の「ちょっとした用事」を引き受ける仕事をしています。",
            ],
            details: &[
                "限定品の行列は最長で11時間並んだことがあります。",
                "役所の窓口は待ち時間の少ない曜日を把握しています。",
                "鍵の受け渡しや部屋の立ち会いも、身分証をお見せしたうえで行います。",
                "電動自転車で動くので、渋滞に左右されません。",
            ],
        },
        english: Words {
            headlines: &[
                "Your legs in {prefecture}: errands, pickups, queues",
                "I run errands in and around {prefecture}",
            ],
            openings: &[
                "I have been running errands for other people for {years} years.",
                "I live in {prefecture} and know its shops, stations and city offices well.",
            ],
            details: &[
                "I have queued overnight for sneakers, ramen and a Nintendo, in that order of difficulty.",
                "Parcels, keys and documents stay with me and nobody else until they are handed over.",
            ],
        },
    },
    Calling {
        weight: 9,
        skills: &[
            "Driving",
            "Bicycle courier",
            "Parcel pickup",
            "Moving help",
            "Light truck hauling",
        ],
        rate: (1_300, 2_400),
        japanese: Words {
            headlines: &[
                "軽バンで荷物を運びます",
                "{city}発の配送、当日対応",
                "自転車便{years}年、都市部なら最速です",
                "単身の引越し、手伝います",
            ],
            openings: &[
                "軽貨物の個人事業主として{years}年走っています。",
                "元自転車便で、今は車でも運びます。",
                "引越し会社に{years}年勤めた後、独立しました。",
            ],
            details: &[
                "冷蔵品は保冷箱で運びます。",
                "無事故・無違反です。",
                "楽器や美術品など、壊れやすいものの梱包に慣れています。",
                "書類一通でも、県外まででも走ります。",
            ],
        },
        english: Words {
            headlines: &[
                "Small van, careful driver, {prefecture}",
                "Same-day courier in {prefecture}",
            ],
            openings: &[
                "I drive a Suzuki Every and have moved other people's things for {years} years.",
                "Former bicycle messenger, now on four wheels most days.",
            ],
            details: &[
                "No accidents so far, and I intend to keep it that way.",
                "I wrap fragile things myself rather than trust the sender's tape.",
            ],
        },
    },
    Calling {
        weight: 11,
        skills: &["Cleaning", "Cooking", "Shopping", "Gardening", "Companionship"],
        rate: (1_300, 2_300),
        japanese: Words {
            headlines: &[
                "家事代行歴{years}年、水まわりはお任せください",
                "作り置き料理と掃除をします",
                "空き家の清掃と見回り、承ります",
                "民泊清掃の経験が豊富です",
            ],
            openings: &[
                "家事代行会社に登録して{years}年になります。",
                "ホテルの客室清掃を{years}年やっていました。",
                "料理が好きで、週に三軒のお宅で作り置きをしています。",
            ],
            details: &[
                "洗剤は素材に合わせて持参します。",
                "3時間で10品ほど作れます。アレルギーにも配慮します。",
                "空き家の換気・通水・郵便物の確認をして、写真で報告します。",
                "ペットのいるお宅も大丈夫です。",
            ],
        },
        english: Words {
            headlines: &[
                "Cleaning and home cooking, {years} years of it",
                "Guest room turnovers in {prefecture}",
            ],
            openings: &[
                "I cleaned hotel rooms for {years} years and still fold corners without thinking.",
                "I cook and clean in other people's homes three days a week.",
            ],
            details: &[
                "For vacant houses I air the rooms, run the taps and photograph the meters.",
                "I bring my own cleaning agents, the mild ones.",
            ],
        },
    },
    Calling {
        weight: 8,
        skills: &[
            "Furniture assembly",
            "Minor repairs",
            "Moving help",
            "Light truck hauling",
            "Wi-Fi installation",
            "Site inspection",
        ],
        rate: (1_600, 3_200),
        japanese: Words {
            headlines: &[
                "家具の組み立てと小さな修理",
                "元大工です。棚一枚から伺います",
                "{city}の直し屋",
                "網戸、蛇口、ドア、直します",
            ],
            openings: &[
                "大工として{years}年働き、今は小さな仕事を中心に受けています。",
                "IKEAの家具なら説明書なしで組めます。",
                "設備会社に{years}年いました。",
            ],
            details: &[
                "工具は一式そろっています。",
                "現場の写真を送っていただければ、先に部材を用意します。",
                "賃貸の原状回復もご相談ください。",
                "壁の下地を確認してから穴をあけます。",
            ],
        },
        english: Words {
            headlines: &[
                "Retired carpenter, small jobs welcome",
                "Flat-pack furniture and minor repairs",
            ],
            openings: &[
                "I was a carpenter for {years} years and cannot sit still.",
                "I put together furniture and fix what is loose.",
            ],
            details: &[
                "Send a photo first and I will bring the right parts.",
                "I check what is behind the wall before I drill into it.",
            ],
        },
    },
    Calling {
        weight: 7,
        skills: &["Dog walking", "Cat sitting", "Babysitting", "Companionship", "Cleaning"],
        rate: (1_200, 2_200),
        japanese: Words {
            headlines: &[
                "猫のお留守番、見に行きます",
                "犬の散歩とペットシッター",
                "保育士{years}年、短時間のお預かりも",
                "お年寄りの話し相手になります",
            ],
            openings: &[
                "動物取扱責任者の資格を持っています。",
                "保育園で{years}年働きました。",
                "実家でずっと犬と猫と暮らしてきました。",
            ],
            details: &[
                "投薬や爪切りもできます。",
                "訪問中の様子は動画でお送りします。",
                "大型犬も大丈夫です。朝6時から歩けます。",
                "将棋と昔話なら何時間でもお付き合いします。",
            ],
        },
        english: Words {
            headlines: &[
                "Cats, dogs and small children",
                "Pet sitter in {prefecture}, {years} years",
            ],
            openings: &[
                "I have looked after animals for {years} years, and children for longer.",
                "Licensed to care for other people's pets.",
            ],
            details: &[
                "You get a short video after every visit.",
                "I can give pills to cats, which I consider my main qualification.",
            ],
        },
    },
    Calling {
        weight: 5,
        skills: &[
            "Gardening",
            "Snow clearing",
            "Minor repairs",
            "Light truck hauling",
            "Site inspection",
        ],
        rate: (1_200, 2_000),
        japanese: Words {
            headlines: &[
                "草刈り・庭木の手入れ・墓掃除",
                "農家の兼業、力仕事はお任せ",
                "冬は雪かき、夏は草刈り",
                "お墓参り代行もしています",
            ],
            openings: &[
                "米農家の合間に、近所の庭を{years}年手入れしています。",
                "シルバー人材センターで{years}年お世話になりました。",
                "{city}で造園の仕事をしています。",
            ],
            details: &[
                "刈払機と軽トラックは自前です。",
                "お墓の掃除は、花とお線香を供えて写真をお送りします。",
                "スズメバチの巣は専門の者を紹介します。",
                "畑の様子を見に行くだけの依頼も受けています。",
            ],
        },
        english: Words {
            headlines: &[
                "Weeds in summer, snow in winter",
                "Gardens, graves and empty plots looked after",
            ],
            openings: &[
                "I grow rice, and between seasons I look after gardens for people who have moved away.",
                "I have trimmed hedges in {prefecture} for {years} years.",
            ],
            details: &[
                "I own the brush cutter and the kei truck.",
                "For a grave I bring flowers and incense and send you a photograph.",
            ],
        },
    },
];
