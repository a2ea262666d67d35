import { amountClaim, likelyNumber, NUMBER } from './amounts';
import { applyFinders, type ExtractedClaims, findClaims } from './claim';
import { CJK_NAMES, CURRENCY_NAMES, currenciesOf } from './currency-names';
import { HAN_NUMBER, parseHanNumber, parseWordNumber, WORD_NUMBER } from './number-words';

const ANY_NUMBER = `(?:${NUMBER}|(?<words>${WORD_NUMBER})|(?<han>${HAN_NUMBER}))`;
const COUNTRY = '(?:(?:u\\.?s\\.?|american|canadian|australian|hong kong)\\s)?';

const AMOUNT_IN_WORDS = new RegExp(
  `(?<words>${WORD_NUMBER})\\s?${COUNTRY}(?<name>${CURRENCY_NAMES})(?!\\p{L})`,
  'giu',
);
const HAN_AMOUNT = new RegExp(`(?<han>${HAN_NUMBER})(?<name>${CJK_NAMES})`, 'gu');
const CENTS = new RegExp(`${ANY_NUMBER}\\s?(?:cents|¢)(?!\\p{L})`, 'giu');

const PERCENT = new RegExp(
  `${ANY_NUMBER}\\s?(?:percent|per\\scent|pct|prozent|pour\\scent|por\\sciento)(?!\\p{L})`,
  'giu',
);
const HAN_PERCENT = new RegExp(`百分之(?:(\\d{1,3})|(?<han>${HAN_NUMBER}))`, 'gu');
/** The number says how many tenths of the price remain: 八折 means that the buyer pays 80%. */
const HAN_DISCOUNT = /(?:([1-9](?:\.\d)?)|(?<han>[一二三四五六七八九]))折(?!\p{L}{0,2}[叠纸断])/gu;
const HALF_AMOUNT =
  /(?<!\p{L})(?:half\s(?:price|off|back|a\srefund|the\s(?:price|amount|cost|money)|of\s(?:the|your)\s(?:price|money|payment|amount))|half[-\s](?:price|refund)|refund\s(?:you\s)?half|halben?\spreis|moitié\sprix|mitad\sde\sprecio)(?!\p{L})|半价|退一半/giu;

/** Words after which a number is an amount of money even without a currency. */
const PROMISE_WORDS = [
  '(?<!\\p{L})(?:refund|credit|discount|rebate|reimburse(?:ment)?|compensat(?:e|ion)|coupon|voucher|cashback|gift\\scard)(?:\\s(?:you|back|of|for|a|an|the|with|worth|another|up\\sto|total(?:ing)?|just|only|about)){0,4}\\s',
  '(?<!\\p{L})(?:erstattung|rückerstattung|gutschrift|rabatt|gutschein)\\s(?:von|über|in\\shöhe\\svon)\\s',
  '(?<!\\p{L})(?:remboursement|remise|réduction|avoir)\\sde\\s',
  '(?<!\\p{L})(?:reembolso|descuento|crédito)\\sde\\s',
  '(?:退款|退还|退您|退你|退给您|退给你|赔偿|补偿|赔您|赔你)(?:您|你|给您|给你|共)?\\s?',
].join('|');
/** What may follow a promised amount. Any other word is what the number counts, as in "refund 2 items". */
const CONTINUATION =
  '(?=\\s?(?:$|[.,;:!?)。，！；、]|\\s(?:to|back|now|today|as|if|for|and|or|right|immediately|in|when|once|off|on|will|has|is|at|und|et|y|auf|sur|en)(?!\\p{L})))';
const PROMISED_AMOUNT = new RegExp(`(?<=${PROMISE_WORDS})${ANY_NUMBER}(?!\\d)${CONTINUATION}`, 'gimu');

interface Groups {
  words?: string;
  han?: string;
  name?: string;
}

/** Returns the matched number times `scale`, in digits. A number written in digits is the match's first group. */
function numberOf(match: RegExpMatchArray, groups: Groups, scale = 1): string {
  const value = groups.words
    ? parseWordNumber(groups.words)
    : groups.han
      ? parseHanNumber(groups.han)
      : Number(likelyNumber(match[1] ?? '0'));
  return String(Math.round(value * scale * 100) / 100);
}

/** Returns a finder for amounts that match a pattern with the named groups of `Groups`. */
function createFinder(
  pattern: RegExp,
  readAmount: (match: RegExpMatchArray, groups: Groups) => [string, readonly string[]],
) {
  return (text: string): ExtractedClaims =>
    findClaims(text, pattern, (match) => {
      const [number, currencies] = readAmount(match, match.groups ?? {});
      return amountClaim(number, currencies);
    });
}

const FINDERS = [
  createFinder(AMOUNT_IN_WORDS, (match, groups) => [numberOf(match, groups), currenciesOf(groups.name!)]),
  createFinder(HAN_AMOUNT, (match, groups) => [numberOf(match, groups), currenciesOf(groups.name!)]),
  createFinder(CENTS, (match, groups) => [numberOf(match, groups, 0.01), currenciesOf('dollar')]),
  createFinder(PERCENT, (match, groups) => [numberOf(match, groups), ['%']]),
  createFinder(HAN_PERCENT, (match, groups) => [numberOf(match, groups), ['%']]),
  createFinder(HAN_DISCOUNT, (match, groups) => [String(100 - Number(numberOf(match, groups, 10))), ['%']]),
  createFinder(HALF_AMOUNT, () => ['50', ['%']]),
  createFinder(PROMISED_AMOUNT, (match, groups) => [numberOf(match, groups), []]),
];

/** Finds amounts and percentages in words, and numbers that are amounts because of a promise: "a full refund of fifty". */
export function findAmountWords(text: string): ExtractedClaims {
  return applyFinders(text, FINDERS);
}
