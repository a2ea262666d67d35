const MAX_READ = 400;

/** What a sender's program wrote for want of a value; in a sentence it would look like a fault of ours. */
const PLACEHOLDER_WORDS = /(?<![\p{L}\p{N}])(?:null|undefined|none|NaN|nan)(?![\p{L}\p{N}])/giu;
const PLACEHOLDER_PART = /^(?:n a|na|unknown|tbd)$|(?<![\p{L}\p{N}])invalid(?![\p{L}\p{N}])/iu;

const READABLE = /^[\p{Script=Latin}0-9 .'&#-]+$/u;

/** Makes `example.com` no link where a message program would make it one, and leaves `St. Louis` and `D.C.` as they are. */
const DOT_IN_WORD = /\.(?=\p{L}{2})/gu;

/**
 * The parts of a text from elsewhere that an English reader can read, in order and without doubles: Latin letters with
 * their accents, digits and little punctuation. A part with a letter of another script is left out whole, since half a
 * name misleads; all other punctuation parts the text. So no line break, link, control or direction mark comes through.
 */
export function latinParts(text: string): string[] {
  const parts: string[] = [];
  const plain = text
    .slice(0, MAX_READ)
    .normalize('NFKC')
    .replace(/[‘’ʼ`]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Cf}/gu, '');
  for (const part of plain.split(/[^\p{L}\p{N}\p{M}\p{Zs}.'&#-]+/u)) {
    const tidy = part
      .replace(PLACEHOLDER_WORDS, ' ')
      .replace(/\p{M}/gu, '')
      .replace(DOT_IN_WORD, '. ')
      .replace(/\p{Zs}+/gu, ' ')
      .replace(/^[ .'&#-]+|[ '&#-]+$/g, '');
    if (!READABLE.test(tidy) || PLACEHOLDER_PART.test(tidy)) continue;
    if (!parts.some((known) => known.toLowerCase() === tidy.toLowerCase())) parts.push(tidy);
  }
  return parts;
}

/** Whether there is a word in it: `90210` or `-` alone names nothing. */
export function namesSomething(text: string): boolean {
  return /\p{L}.*\p{L}/u.test(text);
}
