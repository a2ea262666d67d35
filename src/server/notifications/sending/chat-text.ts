import type { Message } from '../message';

/** Returns the address of a page, given its path below the back office's prefix. */
export type ToPageUrl = (path: string) => string;

interface Dialect {
  /** Escapes text, so that, for example, a shop's name cannot become a link or a mention. */
  escapeText(text: string): string;
  bold(text: string): string;
  link(text: string, url: string): string;
  bullet: string;
  /** The separator between paragraphs. */
  paragraphBreak: string;
  /** The separator between the lines of a list. */
  lineBreak: string;
  /** The maximum length, within the vendor's own limit, in bytes of UTF-8. */
  maxBytes: number;
}

/**
 * Characters with a meaning in these vendors' Markdown, and the full-width forms that replace them, since not all vendors
 * support escapes.
 */
const FULL_WIDTH_FORMS = new Map(
  [...'[]<>@*`~#'].map((character) => [character, String.fromCharCode(character.charCodeAt(0) + 0xfee0)]),
);
const withoutMarkdown = (text: string) =>
  text.replace(/[[\]<>@*`~#]/g, (character) => FULL_WIDTH_FORMS.get(character)!);

const SLACK_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const MARKDOWN = {
  escapeText: withoutMarkdown,
  bold: (text: string) => `**${text}**`,
  link: (text: string, url: string) => `[${text}](${url})`,
  paragraphBreak: '\n\n',
};

/** The format that each vendor accepts according to its documentation (docs/notifications.md). */
export const DIALECTS = {
  /** WeCom's Markdown has no lists, so each line is a quote. */
  wecom: { ...MARKDOWN, bullet: '> ', lineBreak: '\n', maxBytes: 4_096 },
  dingtalk: { ...MARKDOWN, bullet: '- ', lineBreak: '\n', maxBytes: 18_000 },
  slack: {
    escapeText: (text: string) =>
      text.replace(/[&<>]/g, (character) => SLACK_ENTITIES[character]!).replace(/[*`~]/g, withoutMarkdown),
    bold: (text: string) => `*${text}*`,
    link: (text: string, url: string) => `<${url}|${text.replaceAll('|', '｜')}>`,
    bullet: '• ',
    paragraphBreak: '\n',
    lineBreak: '\n',
    maxBytes: 12_000,
  },
} as const satisfies Record<string, Dialect>;

const ELLIPSIS = '…';
/** The part of `maxBytes` that the title may take up, and the sentence below it as well. The list gets the rest. */
const HEAD_PART = 1 / 4;

/** Returns escaped text of at most `maxBytes`. Text beyond is replaced by an ellipsis; no escape sequence is cut in two. */
function fitText(text: string, maxBytes: number, escapeText: Dialect['escapeText']): string {
  const escapedText = escapeText(text);
  if (Buffer.byteLength(escapedText) <= maxBytes) return escapedText;
  let fittingText = '';
  let byteCount = Buffer.byteLength(ELLIPSIS);
  for (const character of text) {
    const escapedCharacter = escapeText(character);
    byteCount += Buffer.byteLength(escapedCharacter);
    if (byteCount > maxBytes) break;
    fittingText += escapedCharacter;
  }
  return fittingText + ELLIPSIS;
}

/**
 * Returns a message as chat text of at most the dialect's `maxBytes`. A title or sentence that is too long is shortened; lines that
 * do not fit are left out, and an ellipsis at the end says so.
 */
export function chatText(message: Message, dialect: Dialect, toPageUrl: ToPageUrl): string {
  const { escapeText, bold, link, bullet, paragraphBreak, lineBreak, maxBytes } = dialect;
  const [title, intro] = [message.title, message.intro].map((text) =>
    fitText(text, maxBytes * HEAD_PART, escapeText),
  );
  const head = [bold(title!), intro!].filter((part) => part !== bold('')).join(paragraphBreak);
  const lines = message.lines.map(
    ({ text, path }) => bullet + (path === null ? escapeText(text) : link(escapeText(text), toPageUrl(path))),
  );
  const textOf = (shownLines: readonly string[]) =>
    shownLines.length === 0 ? head : head + paragraphBreak + shownLines.join(lineBreak);
  if (Buffer.byteLength(textOf(lines)) <= maxBytes) return textOf(lines);
  const includedLines: string[] = [];
  let byteCount = Buffer.byteLength(textOf([ELLIPSIS]));
  for (const line of lines) {
    const lineByteCount = Buffer.byteLength(line + lineBreak);
    if (byteCount + lineByteCount > maxBytes) continue;
    byteCount += lineByteCount;
    includedLines.push(line);
  }
  return textOf([...includedLines, ELLIPSIS]);
}
