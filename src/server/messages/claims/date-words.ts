import * as chrono from 'chrono-node';
import { DAY_MS } from '../../core/days';
import { applyFinders, type Claim, type ExtractedClaims, findClaims, type MatchedClaim } from './claim';
import { createDateParser, type DateParser, type ParsedDate } from './date-parsers';
import { dateClaim } from './dates';
import { HAN_NUMBER, parseHanNumber, parseWordNumber, WORD_NUMBER } from './number-words';

/** An arbitrary day. Only the distance from it matters, so the same words always have the same key. */
const REFERENCE_DAY = new Date(Date.UTC(2026, 0, 7, 12));

/** Each language's parser, and a pattern of words that dates contain. Text without any of the words is not parsed. */
const LANGUAGE_PARSERS: readonly [DateParser, RegExp][] = [
  [
    createDateParser(chrono.en.casual),
    /(?:day|tomorrow|weeks?|months?|january|february|march|april|may|june|july|august|september|october|november|december)(?!\p{L})/iu,
  ],
  [
    createDateParser(chrono.de.casual),
    /(?:tag|tage|tagen|woche|wochen|monat|monaten?|mittwoch|sonnabend|morgen|januar|februar|märz|mai|juni|juli|oktober|dezember)(?!\p{L})/iu,
  ],
  [
    createDateParser(chrono.fr.casual),
    /(?<!\p{L})(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|après-demain|jours?|semaines?|mois)(?!\p{L})/iu,
  ],
  [
    createDateParser(chrono.es.casual),
    /(?<!\p{L})(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|mañana|días?|semanas?|mes|meses)(?!\p{L})/iu,
  ],
  [createDateParser(chrono.zh.casual), /[天日周星期礼拜月]/u],
];

/** The maximum length of text passed to chrono in one call, because its running time grows with the square of the length. */
const MAX_CHUNK_LENGTH = 600;

/** Splits the text into chunks, at the end of a line or sentence if possible. */
function* splitIntoChunks(text: string): Generator<[chunkStart: number, chunk: string]> {
  for (let chunkStart = 0; chunkStart < text.length; ) {
    const window = text.slice(chunkStart, chunkStart + MAX_CHUNK_LENGTH);
    const lastBreak =
      window.length < MAX_CHUNK_LENGTH ? -1 : Math.max(window.lastIndexOf('\n'), window.lastIndexOf('. '));
    const chunk = lastBreak > MAX_CHUNK_LENGTH / 4 ? window.slice(0, lastBreak + 1) : window;
    yield [chunkStart, chunk];
    chunkStart += chunk.length;
  }
}

/** "Have a lovely Friday" and "good morning" promise nothing. */
const WISHES =
  /(?:happy|lovely|great|nice|good|wonderful|enjoy|your|guten|schönen|bon|bonne|buen|buena|la|esta|toda|祝您?|快乐的?)\s?$/iu;
/** A match without letters, or one that says how long something lasts, as in "for two days". */
const NOT_A_DATE = /^(?:\P{L}*$|(?:for|during|seit|depuis|pendant|desde|durante)(?!\p{L}))/iu;
const MONTH_PREPOSITION =
  /(?:in|by|until|till|before|early|mid|late|end of|im|bis|en|fin|début|para)[\s-]$/iu;

const WEEKDAY =
  /\p{L}{3,}(?:day|tag|woch|abend|di)(?!\p{L})|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|dimanche|[周期拜]/iu;
/** A range of weekdays, such as opening days ("Monday to Friday"), which does not promise a day. */
const WEEKDAY_RANGE = /(?:to|through|thru|bis|à|a|-|–|至|到)\s?\S*$/iu;

function claimOf({ result }: ParsedDate, precedingText: string): MatchedClaim | null {
  const { start, end, text } = result;
  const [month, day] = [start.get('month')!, start.get('day')!];
  if (WISHES.test(precedingText) || NOT_A_DATE.test(text)) return null;
  if (!start.isCertain('day')) {
    if (start.isCertain('weekday'))
      return WEEKDAY.test(text) && !(end && WEEKDAY_RANGE.test(text))
        ? wordClaim(`weekday ${Number(start.get('weekday'))} ${daysFromReference(start)}`)
        : null;
    if (start.isCertain('month') && MONTH_PREPOSITION.test(precedingText) && /\p{L}/u.test(text))
      return { kind: 'date', confirmedBy: [`month-${month}`], confirms: [`month-${month}`] };
    return null;
  }
  if (!start.isCertain('month')) return null;
  const year = start.isCertain('year') ? start.get('year')! : null;
  // If the year is certain but the text does not contain it, it was derived from the reference day.
  if (year !== null && !/\d{4}/.test(text)) {
    const days = daysFromReference(start);
    return days > 0 && !/\d\s?(?:hours?|h|minutes?|min)(?!\p{L})/iu.test(text)
      ? wordClaim(`in ${days}`)
      : null;
  }
  return dateClaim([{ year, month, day }]);
}

const wordClaim = (key: string): MatchedClaim => ({ kind: 'date', confirmedBy: [key], confirms: [key] });

function daysFromReference(components: chrono.ParsedComponents): number {
  const [year, month, day] = (['year', 'month', 'day'] as const).map((name) => components.get(name)!);
  const noonMs = Date.UTC(year!, month! - 1, day!, 12);
  return Math.round((noonMs - REFERENCE_DAY.getTime()) / DAY_MS);
}

/** Finds claims with chrono's parser for one language. */
function findParsedDates(
  text: string,
  [parser, pattern]: (typeof LANGUAGE_PARSERS)[number],
): ExtractedClaims {
  const claims: Claim[] = [];
  let rest = '';
  for (const [chunkStart, chunk] of splitIntoChunks(text)) {
    let end = 0;
    if (pattern.test(chunk)) {
      for (const date of parser(chunk, REFERENCE_DAY)) {
        if (date.index < end) continue;
        const dateStart = chunkStart + date.index;
        const claim = claimOf(date, text.slice(Math.max(0, dateStart - 24), dateStart));
        if (claim === null) continue;
        claims.push({ ...claim, value: date.text.trim(), index: dateStart + date.text.search(/\S/) });
        rest += chunk.slice(end, date.index) + ' '.repeat(date.text.length);
        end = date.index + date.text.length;
      }
    }
    rest += chunk.slice(end);
  }
  return { claims, rest };
}

const COUNT = `(?:\\d{1,3}|${WORD_NUMBER}|${HAN_NUMBER})`;
const UNITS = {
  day: 'days?|tage?n?|werktage?n?|jours?(?:\\souvrés|\\souvrables)?|días?(?:\\s(?:hábiles|laborables))?|个?工作日|天|日',
  week: 'weeks?|wochen?|semaines?|semanas?|个?星期|周',
  month: 'months?|monate?n?|mois|mes(?:es)?|个?月',
} as const;
const UNIT = `(?:(?<day>${UNITS.day})|(?<week>${UNITS.week})|(?<month>${UNITS.month}))`;
const FILLER =
  '(?:about|around|approximately|roughly|the|next|another|up|to|just|only|of|von|etwa|ca\\.?|environ|de|unos)\\s';
/** How long something will take ("within 30 days", "in 3-5 business days", "allow two weeks"), not how long it has taken. */
const SPAN = new RegExp(
  `(?<!\\p{L})(?:within|in|allow|takes?|next|another|innerhalb|binnen|sous|dans|en|dentro)\\s(?:${FILLER}){0,3}(?<first>${COUNT})(?:\\s?(?:-|–|~|to|or|bis|à|a|oder|ou|o)\\s?(?<last>${COUNT}))?\\s?(?:more\\s|full\\s|short\\s)?(?:business\\s|working\\s|calendar\\s)?${UNIT}(?!\\p{L})(?!\\sago)`,
  'giu',
);
const HAN_SPAN = new RegExp(
  `(?<first>\\d{1,3}|${HAN_NUMBER})(?:\\s?(?:-|–|~|到|至)\\s?(?<last>\\d{1,3}|${HAN_NUMBER}))?\\s?${UNIT}(?:之?内|以内|后|左右|就)`,
  'giu',
);
const ORDINAL_DAY =
  /(?<=(?<!\p{L})(?:on|by|until|till|before|from|after|since)\sthe\s)([123]?\d)(?:st|nd|rd|th)(?!\p{L})/giu;
const MONTH_ORDINAL =
  /(?<!\p{L})(january|february|march|april|may|june|july|august|september|october|november|december)\sthe\s(\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\d])/giu;
const VAGUE_DATE =
  /(?<!\p{L})(?:(?:by\s|at\s|before\s)?the\send\sof\s(?:the|this|next)\s(?:week|month|year)|(?:later\s)?(?:this|next|coming)\s(?:week|weekend|month)|la\spróxima\ssemana|el\spróximo\smes|ende\s(?:der|dieser|nächster)\swoche|fin\sde\s(?:la\s)?semaine)(?!\p{L})|下{1,3}(?:个?星期|周|礼拜)[一二三四五六日天]?|下个?月|(?:本周|这周|月|年)(?:末|底)|大?后天/giu;

const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ');

const countOf = (text: string) => {
  if (/^\d/.test(text)) return Number(text);
  return /^\p{Script=Han}/u.test(text) || text === '〇' ? parseHanNumber(text) : parseWordNumber(text);
};

function readDuration({ groups = {} }: RegExpMatchArray): MatchedClaim[] {
  const unit = groups.day ? 'day' : groups.week ? 'week' : 'month';
  const [first, last] = [countOf(groups.first!), countOf(groups.last ?? groups.first!)];
  return [wordClaim(`span ${first}-${last} ${unit}`)];
}

const FINDERS = [
  (text: string) => findClaims(text, SPAN, readDuration),
  (text: string) => findClaims(text, HAN_SPAN, readDuration),
  (text: string) =>
    findClaims(text, MONTH_ORDINAL, ([, name, day]) => [
      dateClaim([{ year: null, month: MONTH_NAMES.indexOf(name!.toLowerCase()) + 1, day: Number(day) }]),
    ]),
  ...LANGUAGE_PARSERS.map((languageParser) => (text: string) => findParsedDates(text, languageParser)),
  (text: string) => findClaims(text, VAGUE_DATE, ([match]) => [wordClaim(match!.toLowerCase())]),
  (text: string) => findClaims(text, ORDINAL_DAY, ([, day]) => [wordClaim(`day ${Number(day)}`)]),
];

/**
 * Finds days and time spans in words: "March third", "next Friday", "in two weeks", 下周五. Leaves out time spans in the past
 * ("two weeks ago") and hours.
 */
export function findDateWords(text: string): ExtractedClaims {
  return applyFinders(text, FINDERS);
}
