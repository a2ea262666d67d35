const MAX_READ_LENGTH = 400;

/** What senders' programs write for a missing value. In our text it would look like our own mistake. */
const PLACEHOLDER = /null|undefined|invalid|^(?:na|none|tbd|unknown|xx|zz)$/i;

const READABLE_TEXT = /^[\p{Script=Latin}0-9 .'&#-]+$/u;

/** A link or e-mail address, which is not a name and must not be passed on to a buyer. */
const ADDRESS = /:\/\/|www\.|@/i;

/** Matches the dot in `example.com`, which messaging apps would turn into a link, but not those in `St. Louis` and `D.C.`. */
const DOT_IN_WORD = /\.(?=\p{L}{2})/gu;

/** Returns whether a string stands for a missing value, such as `null` or `Invalid Date`. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text) || text.includes('NaN'); // case-sensitive, because Hainan is a place
}

/**
 * Returns the parts of an external text that an English reader can read, in order and without duplicates: accented and plain
 * Latin letters, digits and some punctuation. A part with a letter of another script is dropped entirely, since half a name is
 * misleading. A part that stands for a missing value is dropped too, and a text with a link or an e-mail address has no parts. All
 * other characters are removed or separate parts, so no line break, control or direction character gets through.
 */
export function latinParts(text: string): string[] {
  const plainText = text
    .slice(0, MAX_READ_LENGTH)
    .normalize('NFKC')
    .replace(/[‘’ʼ`]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Cf}/gu, '');
  if (ADDRESS.test(plainText)) return [];
  const parts: string[] = [];
  for (const part of plainText.split(/[^\p{L}\p{N}\p{M}\p{Zs}.'&#-]+/u)) {
    const cleanedPart = part
      .replace(/\p{M}/gu, '')
      .replace(DOT_IN_WORD, '. ')
      .replace(/\p{Zs}+/gu, ' ')
      .replace(/^[ .'&#-]+|[ '&#-]+$/g, '');
    if (!READABLE_TEXT.test(cleanedPart) || isPlaceholder(cleanedPart)) continue;
    if (!parts.some((knownPart) => knownPart.toLowerCase() === cleanedPart.toLowerCase()))
      parts.push(cleanedPart);
  }
  return parts;
}

/** Returns whether the text contains a word, unlike `90210` or `N, A`. */
export function hasWord(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}
