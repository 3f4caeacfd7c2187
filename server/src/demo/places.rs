//! The 47 prefectures and some of the cities in each.

/// A prefecture as the demo knows it.
#[derive(Debug)]
pub(super) struct Prefecture {
    pub(super) name: &'static str,
    /// Its name as an English sentence has it.
    pub(super) english: &'static str,
    /// Its inhabitants in hundreds of thousands, rounded.
    pub(super) inhabitants: usize,
    /// Municipalities, or wards of Tokyo, that lie in it.
    pub(super) cities: &'static [&'static str],
}

const fn prefecture(
    name: &'static str,
    english: &'static str,
    inhabitants: usize,
    cities: &'static [&'static str],
) -> Prefecture {
    Prefecture {
        name,
        english,
        inhabitants,
        cities,
    }
}

/// From north to south, in the order of their official numbers.
pub(super) const PREFECTURES: [Prefecture; 47] = [
    prefecture("北海道", "Hokkaido", 52, &["札幌市", "旭川市", "函館市", "帯広市"]),
    prefecture("青森県", "Aomori", 12, &["青森市", "弘前市", "八戸市"]),
    prefecture("岩手県", "Iwate", 12, &["盛岡市", "一関市", "花巻市"]),
    prefecture("宮城県", "Miyagi", 23, &["仙台市", "石巻市", "大崎市"]),
    prefecture("秋田県", "Akita", 9, &["秋田市", "横手市", "大仙市"]),
    prefecture("山形県", "Yamagata", 10, &["山形市", "鶴岡市", "米沢市"]),
    prefecture(
        "福島県",
        "Fukushima",
        18,
        &["福島市", "郡山市", "いわき市", "会津若松市"],
    ),
    prefecture("茨城県", "Ibaraki", 29, &["水戸市", "つくば市", "日立市"]),
    prefecture("栃木県", "Tochigi", 19, &["宇都宮市", "小山市", "日光市"]),
    prefecture("群馬県", "Gunma", 19, &["前橋市", "高崎市", "桐生市"]),
    prefecture("埼玉県", "Saitama", 73, &["さいたま市", "川口市", "川越市", "所沢市"]),
    prefecture("千葉県", "Chiba", 63, &["千葉市", "船橋市", "柏市", "成田市"]),
    prefecture("東京都", "Tokyo", 140, &["世田谷区", "新宿区", "台東区", "八王子市"]),
    prefecture("神奈川県", "Kanagawa", 92, &["横浜市", "川崎市", "藤沢市", "鎌倉市"]),
    prefecture("新潟県", "Niigata", 22, &["新潟市", "長岡市", "上越市"]),
    prefecture("富山県", "Toyama", 10, &["富山市", "高岡市", "魚津市"]),
    prefecture("石川県", "Ishikawa", 11, &["金沢市", "小松市", "白山市"]),
    prefecture("福井県", "Fukui", 8, &["福井市", "敦賀市", "鯖江市"]),
    prefecture("山梨県", "Yamanashi", 8, &["甲府市", "富士吉田市", "甲斐市"]),
    prefecture("長野県", "Nagano", 20, &["長野市", "松本市", "上田市"]),
    prefecture("岐阜県", "Gifu", 19, &["岐阜市", "大垣市", "高山市"]),
    prefecture("静岡県", "Shizuoka", 36, &["静岡市", "浜松市", "沼津市", "富士市"]),
    prefecture("愛知県", "Aichi", 75, &["名古屋市", "豊田市", "岡崎市", "豊橋市"]),
    prefecture("三重県", "Mie", 17, &["津市", "四日市市", "伊勢市"]),
    prefecture("滋賀県", "Shiga", 14, &["大津市", "草津市", "彦根市"]),
    prefecture("京都府", "Kyoto", 26, &["京都市", "宇治市", "舞鶴市"]),
    prefecture("大阪府", "Osaka", 88, &["大阪市", "堺市", "東大阪市", "豊中市"]),
    prefecture("兵庫県", "Hyogo", 54, &["神戸市", "姫路市", "西宮市", "尼崎市"]),
    prefecture("奈良県", "Nara", 13, &["奈良市", "橿原市", "生駒市"]),
    prefecture("和歌山県", "Wakayama", 9, &["和歌山市", "田辺市", "橋本市"]),
    prefecture("鳥取県", "Tottori", 5, &["鳥取市", "米子市", "倉吉市"]),
    prefecture("島根県", "Shimane", 7, &["松江市", "出雲市", "浜田市"]),
    prefecture("岡山県", "Okayama", 19, &["岡山市", "倉敷市", "津山市"]),
    prefecture("広島県", "Hiroshima", 28, &["広島市", "福山市", "呉市", "尾道市"]),
    prefecture("山口県", "Yamaguchi", 13, &["下関市", "山口市", "宇部市"]),
    prefecture("徳島県", "Tokushima", 7, &["徳島市", "鳴門市", "阿南市"]),
    prefecture("香川県", "Kagawa", 9, &["高松市", "丸亀市", "観音寺市"]),
    prefecture("愛媛県", "Ehime", 13, &["松山市", "今治市", "新居浜市"]),
    prefecture("高知県", "Kochi", 7, &["高知市", "南国市", "四万十市"]),
    prefecture("福岡県", "Fukuoka", 51, &["福岡市", "北九州市", "久留米市"]),
    prefecture("佐賀県", "Saga", 8, &["佐賀市", "唐津市", "鳥栖市"]),
    prefecture("長崎県", "Nagasaki", 13, &["長崎市", "佐世保市", "諫早市"]),
    prefecture("熊本県", "Kumamoto", 17, &["熊本市", "八代市", "天草市"]),
    prefecture("大分県", "Oita", 11, &["大分市", "別府市", "中津市"]),
    prefecture("宮崎県", "Miyazaki", 11, &["宮崎市", "都城市", "延岡市"]),
    prefecture("鹿児島県", "Kagoshima", 16, &["鹿児島市", "霧島市", "奄美市"]),
    prefecture("沖縄県", "Okinawa", 15, &["那覇市", "沖縄市", "名護市", "石垣市"]),
];

impl Prefecture {
    /// What an hour of work costs here, in percent of the country's middle.
    pub(super) fn price_percent(&self) -> usize {
        match self.inhabitants {
            100.. => 122,
            60.. => 112,
            25.. => 104,
            12.. => 97,
            _ => 92,
        }
    }
}
