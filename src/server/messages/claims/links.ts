import { parse } from 'tldts';
import { applyFinders, type ExtractedClaims, findClaims, type MatchedClaim } from './claim';

/** Words used instead of a dot to hide a host name from programs, in the languages where this occurs. */
const DOT_WORD = '(?:dot|d0t|punkt|punto|point|点|點)';
const BRACKETED_DOT = `\\s?(?:\\[\\s?(?:\\.|${DOT_WORD})\\s?\\]|\\(\\s?(?:\\.|${DOT_WORD})\\s?\\)|\\{\\s?(?:\\.|${DOT_WORD})\\s?\\}|<\\s?(?:\\.|${DOT_WORD})\\s?>)\\s?`;
const DOT = `(?:\\.|[。·•]|${BRACKETED_DOT})`;
/**
 * A character of a host name, or of an imitation in a similar script. Chinese is not included, because Chinese text often stands
 * next to a link without a space.
 */
const LETTER = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\d_]';
const LABEL = `${LETTER}(?:[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\d_-]{0,62})`;
const START = `(?<!${LETTER}|[@-])`;
const PATH = '(?::\\d{1,5})?(?:[/?#\\\\][^\\s<>"\'`()[\\]{}，。；！]*)?';
/**
 * The top-level domains recognised in a host that is spelled with words, spaces or commas. Too many of the others are ordinary
 * words.
 */
const COMMON_TOP_LEVEL_DOMAINS =
  'com|net|org|info|biz|io|co|app|xyz|top|site|online|club|vip|ru|cn|uk|de|fr|eu|cc|tk|ly|example';
const REST_OF_LINK = '(?:\\[(?:\\.|dot)\\]|\\((?:\\.|dot)\\)|[^\\s<>"\'`()[\\]{}，。；！])*';

/** A link with any scheme, even an obfuscated one such as `hxxps[:]//` or `https//`, or with `www.`. */
const LINK_WITH_SCHEME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:h(?:tt|xx|\\*\\*|__)ps?\\s?(?:\\[?:\\]?\\s?[/\\\\]{1,3}|[/\\\\]{2,3})\\s?|[a-z][a-z0-9+.-]{1,20}:\\/\\/|www\\s?\\.\\s?)${REST_OF_LINK}`,
  'giu',
);
/** Links whose schemes have no slashes and start a call, a message or a script. */
const ACTION_LINK =
  /(?<![\p{L}\p{N}])(?:mailto|tel|sms|smsto|callto|facetime|skype|whatsapp|viber|tg|weixin|wechat|javascript|vbscript|intent|data:text\/[a-z]{1,10}):(?=[^\s<>"'`()[\]{}])[^\s<>"'`()[\]{}，。；！]*/giu;
const EMAIL_ADDRESS = /(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[a-z]{2,24}/giu;
/** Hosts spelled with words, spaces or commas: "evil dot example", "evil . com", "evil,com". */
const SPELLED_OUT_HOST = new RegExp(
  `${START}${LABEL}(?:(?:\\.|\\s${DOT_WORD}\\s)${LABEL}){0,4}(?:\\s${DOT_WORD}\\s|\\s[.。]\\s?|,|[.。]\\s)(?:${COMMON_TOP_LEVEL_DOMAINS})(?!${LETTER}|-)${PATH}`,
  'giu',
);
const HOST = new RegExp(`${START}${LABEL}(?:${DOT}${LABEL}){1,6}${PATH}`, 'giu');
const HAN_HOST = /[\p{Script=Han}a-z0-9-]{1,30}\.(?:中国|中國|公司|网络|網絡|网址|在线|商店|网店)/giu;
const IPV4 =
  /(?<![\w.])(?:\d{1,3}(?:\.|\[\.\])){3}\d{1,3}(?![\w]|\.\d)(?::\d{1,5})?(?:\/[^\s<>"'`()[\]{}]*)?/gu;
const IPV6 =
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6})(?![\w:])/giu;
const PUNYCODE = /(?<![\w-])xn--[a-z0-9-]{2,59}/giu;
const HANDLE = /(?<![\p{L}\p{N}_.@/])@(?=[\w.]{0,28}[a-z])\w[\w.]{1,28}\w/giu;
/** Messaging apps, where the marketplace does not see what is agreed. The mere mention of one counts as a link. */
const MESSENGER =
  /(?<!\p{L})(?:whats\s?app|telegram|we\s?chat|weixin|viber|skype|snapchat|discord|kakao(?:talk)?|zalo|qq|line(?=\sid))(?!\p{L})(?:\s(?:id|number|no|account|is|at|handle)(?!\p{L})){0,2}(?:\s?[:：]\s?[@+\w][\w.+-]{2,40}|\s[@+\w][\w.+-]{0,40}\d[\w.+-]{0,20})?|(?:微信|薇信|威信|加[vV](?!\p{L})|[qQ]{2}号|扣扣)号?\s?[:：]?\s?(?:[a-z][\w-]{4,30}|\d{5,12})?/giu;

/**
 * Top-level domains for examples, tests, and private or anonymous networks. The public suffix list does not have most of them.
 */
const RESERVED_TOP_LEVEL_DOMAIN = /^(?:example|test|invalid|localhost|local|onion|internal|lan|i2p)$/;
/** Maps letters to the Latin ones that they look like, enough to recognise a top-level domain such as `соm`. */
const LOOKALIKES: Record<string, string> = Object.fromEntries(
  [...'аaеeоoрpсcхxуyіiјjѕsһhкkмmтtвbнhгrοoαaνvρpτtιiκkυu'].flatMap((letter, index, all) =>
    index % 2 === 0 ? [[letter, all[index + 1]!]] : [],
  ),
);
/** Words that begin sentences; many are also top-level domains. "It has arrived.So we…" lacks a space but names no host. */
const SENTENCE_WORD =
  /^(?:So|It|Is|In|At|To|No|My|Me|Us|Be|As|Am|Do|By|Or|You|We|This|Here|For|Today|Now|New|How|One|Are|All)$/;

const toLatin = (text: string) => [...text].map((letter) => LOOKALIKES[letter] ?? letter).join('');

function isTopLevelDomain(label: string, isObfuscated: boolean): boolean {
  const latinLabel = toLatin(label.toLowerCase());
  if (RESERVED_TOP_LEVEL_DOMAIN.test(latinLabel)) return true;
  if (SENTENCE_WORD.test(label)) return false;
  if (isObfuscated && /^[a-z]{2,24}$/.test(latinLabel)) return true;
  return [latinLabel, label.toLowerCase()].some((domain) => parse(`a.${domain}`).isIcann === true);
}

const OBFUSCATED_DOT = new RegExp(`${BRACKETED_DOT}|[。·•]`, 'giu');

/**
 * Returns the longest prefix of the link's dotted labels that is a host name, or null if there is none. Includes the path if no label
 * had to be dropped.
 */
function trimToHost(link: string): string | null {
  const pathStart = link.search(/(?<=[\p{L}\d_])(?::\d|[/?#\\])/u);
  const host = pathStart === -1 ? link : link.slice(0, pathStart);
  const isObfuscated = host.search(OBFUSCATED_DOT) !== -1;
  const dots = [...host.matchAll(new RegExp(DOT, 'giu'))];
  for (let dotCount = dots.length; dotCount > 0; dotCount--) {
    const dot = dots[dotCount - 1]!;
    const end = dotCount === dots.length ? host.length : dots[dotCount]!.index;
    if (!isTopLevelDomain(host.slice(dot.index + dot[0].length, end), isObfuscated)) continue;
    return dotCount === dots.length ? link : host.slice(0, end);
  }
  return null;
}

/** What an obfuscation looks like, and what it stands for. */
const OBFUSCATIONS: readonly [RegExp, string][] = [
  [OBFUSCATED_DOT, '.'],
  [new RegExp(`\\s${DOT_WORD}\\s|\\s?\\.\\s?|,(?=[a-z]{2,8}$)`, 'giu'), '.'],
  [/^h(?:tt|xx|\*\*|__)p(s?)\s?(?:\[?:\]?)?\s?[/\\]+\s?/iu, 'http$1://'],
];

/** Normalises a link: removes obfuscation, `scheme://` or `mailto:`, `www.` and a trailing slash, and lower-cases the host. */
function normaliseLink(link: string): string {
  const bareLink = OBFUSCATIONS.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    link,
  )
    .replace(/^(?:[a-z]+:\/\/|mailto:)/i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '');
  const end = bareLink.search(/[/?#]/);
  return end === -1 ? bareLink.toLowerCase() : bareLink.slice(0, end).toLowerCase() + bareLink.slice(end);
}

function linkClaim(link: string | null): MatchedClaim[] | null {
  if (link === null) return null;
  // Punctuation at the end of a sentence is not part of the link.
  const value = link.replace(/[.,;:!?*_~\s]{1,20}$/, '');
  const key = normaliseLink(value);
  return [{ kind: 'link', value, confirmedBy: [key], confirms: [key] }];
}

const isIpv4 = (text: string) =>
  text
    .split(/\.|\[\.\]|[:/]/)
    .slice(0, 4)
    .every((part) => Number(part) <= 255);

const createFinder =
  (pattern: RegExp, readLink: (match: string) => string | null = (match) => match) =>
  (text: string): ExtractedClaims =>
    findClaims(text, pattern, ([match]) => linkClaim(readLink(match!)));

const FINDERS = [
  createFinder(LINK_WITH_SCHEME),
  createFinder(ACTION_LINK),
  createFinder(EMAIL_ADDRESS),
  createFinder(SPELLED_OUT_HOST, (match) => (/(?:polka|pixel)\s(?:dot)/i.test(match) ? null : match)),
  createFinder(IPV4, (match) => (isIpv4(match) ? match : null)),
  createFinder(HOST, trimToHost),
  createFinder(HAN_HOST),
  createFinder(IPV6),
  createFinder(PUNYCODE),
  createFinder(MESSENGER),
  createFinder(HANDLE),
];

/**
 * Finds web, e-mail and network addresses in the text, even obfuscated ones, `@handles`, and mentions of messaging apps. The
 * top-level domains of unobfuscated hosts are looked up in the public suffix list.
 */
export function findLinks(text: string): ExtractedClaims {
  return applyFinders(text, FINDERS);
}
