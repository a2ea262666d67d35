import type { Page } from 'playwright';

/** Names that stay the same in Chinese. */
const NAMES = [
  'Brickdesk',
  'ROAS',
  'OAuth',
  'Node.js',
  'PostgreSQL',
  'Sold order items',
  'Transaction ID',
  'Date Paid',
  'English',
  'Minifigures',
  'Narnia',
  'Yiwu',
];

/**
 * Returns English text left on a Chinese page: three Latin words in a row anywhere, and headings, labels and buttons without a
 * Chinese character. Ids, codes, paths, e-mail addresses and text marked as English may be Latin.
 */
export function findUntranslatedTexts(page: Page): Promise<string[]> {
  return page.evaluate((names) => {
    const exemptSelector = 'pre, code, kbd, .mono, script, style, textarea, noscript, [lang=en], svg';
    const labelSelector = 'h1, h2, h3, th, dt, label, button, [role=tab], [role=alert] *, nav a';
    const foundTexts = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      if (element.closest(exemptSelector) || element.getBoundingClientRect().width === 0) continue;
      const fullText = (node.textContent ?? '').trim();
      const text = names.reduce((rest, name) => rest.replaceAll(name, ''), fullText);
      const isSentence = /[A-Za-z]{2,}[,;:]?(?: [A-Za-z]{2,}[,;:]?){2,}/.test(text);
      const isLabel =
        element.closest(labelSelector) && /[A-Za-z]{4,}/.test(text) && !/\p{Script=Han}|[@/_.]/u.test(text);
      if (isSentence || isLabel) foundTexts.add(fullText);
    }
    return [...foundTexts];
  }, NAMES);
}
