import type { Message } from '../message';

/** Returns the address of a page, given its path below the back office's prefix. */
export type LinkOf = (path: string) => string;

interface Dialect {
  /** Makes text harmless: what shops and orders are called must not become a link or call somebody. */
  plain(text: string): string;
  bold(text: string): string;
  link(text: string, url: string): string;
  bullet: string;
  /** Between paragraphs. */
  gap: string;
  /** Between the lines of a list. */
  end: string;
  /** The most bytes of UTF-8 that the vendor takes. */
  mostBytes: number;
}

/** The characters that these vendors' Markdown gives a meaning, and their full-width forms, since not all know escapes. */
const FULL_WIDTH = new Map(
  [...'[]<>@*`~#'].map((each) => [each, String.fromCharCode(each.charCodeAt(0) + 0xfee0)]),
);
const withoutMarkdown = (text: string) => text.replace(/[[\]<>@*`~#]/g, (each) => FULL_WIDTH.get(each)!);

const SLACK_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const MARKDOWN = {
  plain: withoutMarkdown,
  bold: (text: string) => `**${text}**`,
  link: (text: string, url: string) => `[${text}](${url})`,
  gap: '\n\n',
};

/** What each vendor takes, by its own documents (docs/notifications.md). */
export const DIALECTS = {
  /** Lists are unknown to WeCom's Markdown; `>` quotes a line. */
  wecom: { ...MARKDOWN, bullet: '> ', end: '\n', mostBytes: 4_096 },
  dingtalk: { ...MARKDOWN, bullet: '- ', end: '\n', mostBytes: 18_000 },
  slack: {
    plain: (text: string) =>
      text.replace(/[&<>]/g, (each) => SLACK_ENTITIES[each]!).replace(/[*`~]/g, withoutMarkdown),
    bold: (text: string) => `*${text}*`,
    link: (text: string, url: string) => `<${url}|${text.replaceAll('|', '｜')}>`,
    bullet: '• ',
    gap: '\n',
    end: '\n',
    mostBytes: 12_000,
  },
} as const satisfies Record<string, Dialect>;

const ELLIPSIS = '…';

/** Returns a message as text of a chat. Lines that the vendor's limit has no room for are replaced by an ellipsis. */
export function chatText(message: Message, dialect: Dialect, linkOf: LinkOf): string {
  const { plain, bold, link, bullet, gap, end, mostBytes } = dialect;
  const head = [bold(plain(message.title)), plain(message.intro)]
    .filter((part) => part !== bold(''))
    .join(gap);
  const lines = message.lines.map(
    ({ text, path }) => bullet + (path === null ? plain(text) : link(plain(text), linkOf(path))),
  );
  const textOf = (shown: readonly string[]) => (shown.length === 0 ? head : head + gap + shown.join(end));
  if (Buffer.byteLength(textOf(lines)) <= mostBytes) return textOf(lines);
  const kept: string[] = [];
  for (const line of lines) {
    if (Buffer.byteLength(textOf([...kept, line, ELLIPSIS])) > mostBytes) break;
    kept.push(line);
  }
  return textOf([...kept, ELLIPSIS]);
}
