const MAX_READ = 400;

/** What a sender's program wrote for want of a value; in our sentence it would look like a fault of ours. */
const PLACEHOLDER = /null|undefined|invalid|^(?:na|none|tbd|unknown|xx|zz)$/i;

const READABLE = /^[\p{Script=Latin}0-9 .'&#-]+$/u;

/** A link or a mail address: no name, and nothing that we pass on to a buyer. */
const ADDRESS = /:\/\/|www\.|@/i;

/** Makes `example.com` no link where a message program would make it one, and leaves `St. Louis` and `D.C.` as they are. */
const DOT_IN_WORD = /\.(?=\p{L}{2})/gu;

/** Whether a text stands for a value that its sender did not have, such as `null` or `Invalid Date`. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text) || text.includes('NaN'); // in this case only: Hainan is a place
}

/**
 * The parts of a text from elsewhere that an English reader can read, in order and without doubles: Latin letters with
 * their accents, digits and little punctuation. A part with a letter of another script is left out whole, since half a
 * name misleads; all other punctuation parts the text. So no line break, link, control or direction mark comes through.
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

/** Whether there is a word in it: `90210` or `N, A` names nothing. */
export function namesSomething(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}
