const MAX_READ = 400;

/** What a sender's program writes for a missing value; in our sentence it would look like our mistake. */
const PLACEHOLDER = /null|undefined|invalid|^(?:na|none|tbd|unknown|xx|zz)$/i;

const READABLE = /^[\p{Script=Latin}0-9 .'&#-]+$/u;

/** A link or email address: not a name, and nothing to pass on to a buyer. */
const ADDRESS = /:\/\/|www\.|@/i;

/** Keeps message programs from turning `example.com` into a link, and leaves `St. Louis` and `D.C.` as they are. */
const DOT_IN_WORD = /\.(?=\p{L}{2})/gu;

/** Returns whether a text stands for a missing value, such as `null` or `Invalid Date`. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text) || text.includes('NaN'); // case-sensitive, because Hainan is a place
}

/**
 * Returns the parts of an external text that an English reader can read, in order and without duplicates: accented and plain
 * Latin letters, digits and some punctuation. A part with a letter of another script is dropped entirely, since half a name is
 * misleading. All other punctuation separates parts, so no line break, link, control or direction character gets through.
 */
export function latinParts(text: string): string[] {
  const plain = text
    .slice(0, MAX_READ)
    .normalize('NFKC')
    .replace(/[‘’ʼ`]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Cf}/gu, '');
  if (ADDRESS.test(plain)) return [];
  const parts: string[] = [];
  for (const part of plain.split(/[^\p{L}\p{N}\p{M}\p{Zs}.'&#-]+/u)) {
    const tidy = part
      .replace(/\p{M}/gu, '')
      .replace(DOT_IN_WORD, '. ')
      .replace(/\p{Zs}+/gu, ' ')
      .replace(/^[ .'&#-]+|[ '&#-]+$/g, '');
    if (!READABLE.test(tidy) || isPlaceholder(tidy)) continue;
    if (!parts.some((known) => known.toLowerCase() === tidy.toLowerCase())) parts.push(tidy);
  }
  return parts;
}

/** Returns whether the text contains a word: `90210` and `N, A` name nothing. */
export function namesSomething(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}
