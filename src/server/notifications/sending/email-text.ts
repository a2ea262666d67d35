import { escapeUTF8 as escapeHtml } from 'entities/escape';
import { LANGUAGE_TAGS, type Locale } from '../../core/locales';
import type { Message } from '../message';
import type { ToPageUrl } from './chat-text';

/** The footer of every e-mail, in the reader's language. */
export interface Footer {
  text: string;
  links: { text: string; url: string }[];
}

/** Returns the plain text of an e-mail. */
export function emailText({ intro, lines }: Message, footer: Footer, toPageUrl: ToPageUrl): string {
  const listItems = lines.map(({ text, path }) =>
    path === null ? `- ${text}` : `- ${text}\n  ${toPageUrl(path)}`,
  );
  const footerText = [footer.text, ...footer.links.map(({ text, url }) => `${text}: ${url}`)].join('\n');
  return `${[intro, listItems.join('\n'), `-- \n${footerText}`].filter((part) => part !== '').join('\n\n')}\n`;
}

/** Returns the HTML of an e-mail. It contains only text and links, and loads nothing. */
export function emailHtml(
  { title, intro, lines }: Message,
  footer: Footer,
  toPageUrl: ToPageUrl,
  locale: Locale,
): string {
  const anchor = (text: string, url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
  const listItems = lines
    .map(
      ({ text, path }) =>
        `<li style="margin:4px 0">${path === null ? escapeHtml(text) : anchor(text, toPageUrl(path))}</li>`,
    )
    .join('\n');
  const footerLinks = footer.links.map(({ text, url }) => anchor(text, url)).join(' · ');
  return `<!doctype html>
<html lang="${LANGUAGE_TAGS[locale]}">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font:15px/1.5 system-ui,sans-serif;max-width:600px;margin:0 auto;padding:16px">
<h1 style="font-size:18px;line-height:1.35;margin:0 0 12px">${escapeHtml(title)}</h1>
<p style="margin:0 0 12px">${escapeHtml(intro)}</p>
${listItems === '' ? '' : `<ul style="margin:0 0 12px;padding:0 0 0 20px">\n${listItems}\n</ul>`}
<hr style="border:0;border-top:1px solid #ccc;margin:24px 0 12px">
<p style="font-size:13px;color:#666;margin:0">${escapeHtml(footer.text)}<br>${footerLinks}</p>
</body>
</html>
`;
}
