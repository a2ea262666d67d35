const escapeSigns = (text: string) => text.replace(/[$.]/g, '\\$&');

/**
 * Returns a pattern that matches any of these lower-case words, the longest one that fits. The words may contain `$` and `.`, and no
 * other character with a meaning in patterns.
 *
 * Where no word begins, the pattern reads one character. Without its lookahead every word would be tried there, which took a check
 * fifteen times as long. V8 avoids that itself only until it has compiled a megabyte of patterns in a process with 16 MB of machine
 * code (`TooMuchRegExpCode` in its regexp.cc). A busy service can have both.
 */
export function anyOf(words: Iterable<string>): string {
  const longestFirst = [...words].sort((a, b) => b.length - a.length).map(escapeSigns);
  const firstCharacters = new Set(longestFirst.map((word) => /^\\?./u.exec(word)![0]));
  return `(?=[${[...firstCharacters].join('')}])(?:${longestFirst.join('|')})`;
}
