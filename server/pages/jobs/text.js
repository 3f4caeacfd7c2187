// All texts of the worker's page. `t('key', { n: 2 })`; a missing key shows itself.
import { signal } from '../shared/ui.js';

// Japanese, English
const texts = {
  find: ['探す', 'Find'],
  applied: ['応募', 'Applied'],
  talk: ['メッセージ', 'Messages'],
  me: ['マイページ', 'You'],
  skip: ['本文へ', 'Skip to content'],
  findTitle: ['仕事を探す', 'Find work'],
  filters: ['絞り込み', 'Filters'],
  words: ['言葉で探す', 'Search by words'],
  place: ['場所で探す', 'Search by place'],
  clearField: ['「{field}」を消す', 'Clear “{field}”'],
  order: ['並び順', 'Order'],
  newestFirst: ['新しい順', 'Newest first'],
  payFirst: ['報酬が高い順', 'Highest pay first'],
  deadlineFirst: ['期限が近い順', 'Earliest deadline first'],
  payFrom: ['${n}以上', '${n} or more'],
  remote: ['どこでもOK', 'Anywhere'],
  near: ['{place}の仕事', 'In {place}'],
  results: ['{n}件の仕事', '{n} jobs'],
  more: ['もっと見る', 'Show more'],
  noWork: ['条件に合う仕事がありません', 'No work matches'],
  noWorkHint: ['場所やカテゴリーを変えると見つかるかもしれません。', 'Another place or category may have some.'],
  clear: ['条件をクリア', 'Clear filters'],
  perHour: ['1時間あたり約${n}', 'about ${n} an hour'],
  hours: ['約{n}時間', 'about {n} h'],
  hoursUnknown: ['時間の目安なし', 'No estimate'],
  until: ['{date}まで', 'by {date}'],
  noDeadline: ['期限なし', 'No deadline'],
  daysLeft: ['あと{n}日', '{n} days left'],
  today: ['今日まで', 'today'],
  over: ['期限切れ', 'past its date'],
  applicants: ['応募 {n}件', '{n} applied'],
  noApplicants: ['まだ応募なし', 'No one yet'],
  anywhere: ['どこからでも', 'From anywhere'],
  placeUnknown: ['場所の指定なし', 'No place given'],
  already: ['応募済み', 'Applied'],
  sending: ['送信中', 'Sending'],
  payWhole: ['作業全体の報酬（米ドル）', 'for the whole job, in US dollars'],
  work: ['仕事の内容', 'The work'],
  where: ['場所', 'Where'],
  when: ['期限', 'Deadline'],
  howLong: ['時間の目安', 'Takes'],
  skills: ['あるとよいスキル', 'Useful skills'],
  skillsNote: ['なくても応募できます', 'You can apply without them'],
  poster: ['依頼者', 'Posted by'],
  competition: ['応募状況', 'So far'],
  apply: ['応募する', 'Apply'],
  applyTitle: ['応募メッセージ', 'Your message'],
  applyHint: ['いつ行けるか、似た経験があるかを書くと伝わりやすくなります。', 'Say when you can go, and whether you have done similar work.'],
  message: ['メッセージ', 'Message'],
  send: ['送信する', 'Send'],
  cancel: ['やめる', 'Cancel'],
  close: ['閉じる', 'Close'],
  back: ['戻る', 'Back'],
  start1: ['近くに住んでいます。明日から対応できます。', 'I live nearby and can start tomorrow.'],
  start2: ['似た仕事の経験があります。', 'I have done similar work before.'],
  start3: ['今週末に対応できます。', 'I can do it this weekend.'],
  startsLabel: ['書き出しの例', 'Ways to begin'],
  sent: ['応募しました', 'Application sent'],
  queued: ['電波が戻ったら送ります', 'It will be sent when you are back online'],
  waiting: ['送信待ち', 'Waiting to send'],
  decidedAt: ['{date}に応募', 'Applied {date}'],
  withdraw: ['応募を取り下げる', 'Withdraw'],
  withdrawTitle: ['応募を取り下げますか？', 'Withdraw your application?'],
  withdrawNote: ['一度取り下げた仕事には、もう応募できません。', 'You cannot apply again for work from which you have withdrawn.'],
  withdrawn: ['応募を取り下げました', 'Application withdrawn'],
  decided: ['すでに返事が届いたので、取り下げられません。', 'The poster has decided, so you cannot withdraw.'],
  deliver: ['納品する', 'Deliver your work'],
  deliverHint: ['何をしたかを書いてください。', 'Say what you have done.'],
  deliverSent: ['納品しました', 'Delivered'],
  delivered: ['納品したもの', 'What you delivered'],
  deliveries: ['納品 {n}件', '{n} delivered'],
  seeApplications: ['応募を見る', 'See applications'],
  pending: ['返事待ち', 'Waiting'],
  accepted: ['採用', 'Accepted'],
  rejected: ['見送り', 'Not this time'],
  pendingNote: ['依頼者が確認しています。', 'The poster has not decided yet.'],
  acceptedNote: ['仕事が終わったら、ここから納品してください。', 'When the work is done, deliver it here.'],
  rejectedNote: ['今回は見送りになりました。', 'The poster chose someone else.'],
  open: ['募集中', 'Open'],
  in_progress: ['進行中', 'Under way'],
  completed: ['完了', 'Done'],
  cancelled: ['中止', 'Called off'],
  votes: ['この仕事の評価', 'Votes'],
  up: ['高く評価', 'Like'],
  down: ['低く評価', 'Dislike'],
  votingClosed: ['この仕事はもう評価できません', 'This work takes no more votes'],
  notOpen: ['この仕事は募集を終えました', 'This work takes no more applications'],
  noApplied: ['まだ応募していません', 'No applications yet'],
  noAppliedHint: ['気になる仕事に応募すると、ここで結果を確認できます。', 'Apply for work you like, and follow the decision here.'],
  about: ['仕事', 'About'],
  noTalk: ['メッセージはまだありません', 'No messages yet'],
  noTalkHint: ['依頼者から連絡が来ると、ここに届きます。', 'When a poster writes to you, it appears here.'],
  write: ['メッセージを書く', 'Write a message'],
  you: ['あなた', 'You'],
  needs: ['{skill}が必要', 'Needs {skill}'],
  unread: ['未読', 'unread'],
  failed: ['送れませんでした', 'Not sent'],
  resend: ['再送', 'Send again'],
  discard: ['取り消す', 'Discard'],
  attach: ['写真やPDFを付ける', 'Add photos or a PDF'],
  attached: ['写真とファイル', 'Photos and files'],
  photosText: ['写真を送ります', 'Here are photos'],
  filesText: ['ファイルを送ります', 'Here are files'],
  tooManyFiles: ['一度に送れるのは{n}件までです。', 'At most {n} in one message.'],
  tooLarge: ['ファイルが大きすぎます（25MBまで）。', 'The file is too large (at most 25 MB).'],
  wrongType: ['送れるのは写真（JPEG・PNG・WebP）とPDFだけです。', 'Only photos (JPEG, PNG, WebP) and PDF files can be sent.'],
  fileQuota: [
    '送れる量の上限に達しました。1日の上限は日本時間の午前9時に戻ります。',
    'You have reached the limit of what you can send. The daily limit starts anew at 0:00 UTC.',
  ],
  lostFile: ['写真がこの端末に残っていません。もう一度選んでください。', 'The photo is no longer on this device. Please choose it again.'],
  newMessage: ['{name}から新しいメッセージ', 'New message from {name}'],
  show: ['見る', 'Show'],
  gotAccepted: ['応募が採用されました', 'Your application was accepted'],
  gotRejected: ['応募の結果が届きました', 'An application was decided'],
  available: ['仕事を受けられます', 'Available for work'],
  unavailable: ['今は受けません', 'Not available now'],
  availableNote: ['オフにすると、依頼者に「今は受けない」と伝わります。応募はいつでもできます。', 'When off, posters see that you take no work now. You can still apply.'],
  profile: ['プロフィール', 'Profile'],
  profileNote: ['依頼者にはこのように見えます', 'What posters see'],
  edit: ['編集', 'Edit'],
  save: ['保存する', 'Save'],
  saved: ['保存しました', 'Saved'],
  headline: ['ひとこと紹介', 'One line about you'],
  bio: ['自己紹介', 'About you'],
  city: ['市区町村', 'City'],
  rate: ['希望時給', 'Price of an hour'],
  rateUnit: ['/時', 'an hour'],
  skillsTitle: ['スキル', 'Skills'],
  otherSkills: ['その他', 'Other'],
  addSkill: ['スキルを追加', 'Add a skill'],
  remove: ['{name}を外す', 'Remove {name}'],
  operatorOnly: ['名前と都道府県は運営に連絡して変更してください。', 'To change your name or prefecture, ask the operator.'],
  verified: ['本人確認済み', 'Verified'],
  reviews: ['{n}件の評価', '{n} reviews'],
  reviewsTitle: ['評価', 'Reviews'],
  stars: ['星{n}（5点満点）', '{n} of 5 stars'],
  newReview: ['新しい評価が届きました', 'You have a new review'],
  noReviews: ['まだ評価なし', 'No reviews yet'],
  settings: ['設定', 'Settings'],
  language: ['言語', 'Language'],
  install: ['ホーム画面に追加', 'Add to home screen'],
  installHint: ['共有メニューから「ホーム画面に追加」を選べます。', 'Choose “Add to Home Screen” in the share menu.'],
  signOut: ['この端末からサインアウト', 'Sign out on this device'],
  signOutTitle: ['サインアウトしますか？', 'Sign out?'],
  signOutNote: ['もう一度使うには、運営から届いたリンクが必要です。', 'To come back you need the link that the operator sent you.'],
  signedOut: ['サインアウトしました', 'Signed out'],
  welcome: ['ようこそ', 'Welcome'],
  welcomeNote: ['運営から届いたリンクを開くと、すぐに始められます。', 'Open the link that the operator sent you, and you are in.'],
  code: ['リンクまたはコード', 'Link or code'],
  codeHint: ['例：106-K3QF-8ZDM-7WXA-2B10', 'Such as 106-K3QF-8ZDM-7WXA-2B10'],
  codeMissing: ['リンクかコードを貼り付けてください', 'Paste a link or a code'],
  entering: ['確認しています…', 'Checking…'],
  again: ['別のコードで入りますか？', 'Use another code?'],
  againNote: [
    'この端末ではすでにサインインしています。続けると、このコードの人としてサインインします。',
    'You are signed in on this device. If you go on, you are signed in as the person of this code.',
  ],
  stay: ['このまま使う', 'Stay as you are'],
  outboxNote: ['まだ送信していないものが{n}件あります。サインアウトすると失われます。', '{n} of your messages have not been sent yet. They are lost if you sign out.'],
  enter: ['はじめる', 'Start'],
  codeWrong: [
    'このコードは使えません。正しく入力したか確かめるか、新しいコードを運営に頼んでください。',
    'This code is wrong, was used or has ended. Compare it, or ask the operator for a new one.',
  ],
  ended: ['このリンクは無効になりました', 'This link has ended'],
  endedNote: ['新しいリンクを運営に頼んでください。', 'Ask the operator for a new one.'],
  offline: ['オフラインです。前回の内容を表示しています。', 'You are offline. This is what was last loaded.'],
  slow: ['電波が弱いようです…', 'The connection is slow…'],
  tooMany: ['少し待っています…（{n}秒）', 'Waiting a moment… ({n} s)'],
  tryAgain: ['もう一度', 'Try again'],
  broken: ['読み込めませんでした', 'Could not load'],
  brokenHint: ['電波のよい場所で、もう一度お試しください。', 'Try again where the signal is better.'],
  serverTrouble: ['ただいま混み合っています。少し待ってからお試しください。', 'The service is busy. Try again in a moment.'],
  reference: ['問い合わせ番号 {id}', 'Reference {id}'],
  required: ['入力してください', 'Please fill this in'],
  tooLong: ['{n}文字以内で入力してください', 'At most {n} characters'],
  notNumber: ['0〜{n}の数字で入力してください', 'A number from 0 to {n}'],
  lengthIs: ['{min}〜{max}文字で入力してください', '{min} to {max} characters'],
  rangeIs: ['{min}〜{max}の数字で入力してください', 'A number from {min} to {max}'],
  tooFine: ['小数は{n}桁までにしてください', 'At most {n} decimals'],
  tooManyItems: ['{n}件までにしてください', 'At most {n}'],
  twice: ['同じものが2つあります', 'The same is there twice'],
  hiddenCharacters: ['見えない制御文字が含まれています。入力し直してください。', 'It has hidden control characters. Please type it again.'],
  notAccepted: ['この内容は登録できません', 'This cannot be accepted'],
  choose: ['仕事を選んでください', 'Choose a job'],
  chooseHint: ['左の一覧から選ぶと、ここに詳しく表示します。', 'Pick one on the left to read it here.'],
  chooseTalk: ['相手を選んでください', 'Choose a conversation'],
  yesterday: ['昨日', 'Yesterday'],
};
export const language = signal(localStorage.getItem('hitode.language') ?? (navigator.language.startsWith('ja') ? 'ja' : 'en'));
export function setLanguage(value) {
  localStorage.setItem('hitode.language', value);
  language.value = value;
  document.documentElement.lang = value;
}
document.documentElement.lang = language.value;
const isJapanese = () => language.value === 'ja';
export const t = (key, values = {}) =>
  (texts[key]?.[isJapanese() ? 0 : 1] ?? key).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

const categories = {
  interviews: '聞き取り',
  audio: '録音',
  errand: 'おつかい',
  research: '調査',
  'phone-calls': '電話',
  guiding: '案内',
  hardware: '機器',
  household: '家事',
  assembly: '組み立て',
  interpreting: '通訳',
  translation: '翻訳',
  calligraphy: '書道',
  testing: 'テスト',
  paperwork: '書類',
  video: '動画',
  verification: '確認',
  photography: '撮影',
};
export const categoryName = (slug) =>
  (isJapanese() && categories[slug]) || (slug ? slug[0].toUpperCase() + slug.slice(1).replace(/[-_]/g, ' ') : '');

// Timestamps are in UTC and say so nowhere: without the Z a browser takes them for local time.
export const moment = (text) => new Date(text + 'Z');
const locale = () => (isJapanese() ? 'ja-JP' : 'en-GB');
export function when(text) {
  const then = moment(text),
    days = dayNumber(new Date()) - dayNumber(then);
  if (days === 0) return then.toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' });
  if (days === 1) return t('yesterday');
  return then.toLocaleDateString(locale(), { month: 'short', day: 'numeric' });
}
// What is wrong with a value, by the codes of `X-Faults`.
export function fault(code, [min, max]) {
  if (code === 'length' && max) return +min > 1 ? t('lengthIs', { min, max }) : t('tooLong', { n: max });
  if (code === 'items' && max) return t('tooManyItems', { n: max });
  if ((code === 'range' || code === 'above') && max) return t('rangeIs', { min, max: Number(max).toLocaleString() });
  if (code === 'decimals') return t('tooFine', { n: min });
  const named = { required: 'required', length: 'required', empty: 'required', blank: 'required', duplicate: 'twice', control: 'hiddenCharacters', bidi: 'hiddenCharacters' };
  return t(named[code] ?? 'notAccepted');
}
export const timeOf = (text) => moment(text).toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' });
export const dayOf = (text) => moment(text).toLocaleDateString(locale(), { month: 'long', day: 'numeric', weekday: 'short' });
const dayNumber = (date) => Math.floor((date.getTime() - date.getTimezoneOffset() * 60000) / 86400000);
// A deadline is a calendar day without a zone: never make it a Date in UTC, it would move by one west of Greenwich.
export function deadline(text) {
  if (!text) return { text: t('noDeadline') };
  const [year, month, day] = text.split('-').map(Number),
    date = new Date(year, month - 1, day),
    left = dayNumber(date) - dayNumber(new Date());
  return {
    text: t('until', { date: date.toLocaleDateString(locale(), { month: 'short', day: 'numeric' }) }),
    left,
    note: left < 0 ? t('over') : left === 0 ? t('today') : left <= 14 ? t('daysLeft', { n: left }) : '',
  };
}
export const money = (value) =>
  '$' + Number(value).toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(value) ? 0 : 2, maximumFractionDigits: 2 });
export const price = (value, currency) =>
  Number(value).toLocaleString(locale(), {
    ...(currency && { style: 'currency', currency }),
    maximumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  });
export const sizeOf = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1e6).toFixed(1)} MB`);
