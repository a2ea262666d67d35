import { createTranslator } from 'next-intl';
import formatCompiled from 'use-intl/format-message/format-only';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TAGS, LOCALES } from '../../../src/i18n/locale';
import { loadMessages, MESSAGE_LOADERS, type Namespace } from '../../../src/i18n/messages';

type Tree = { readonly [key: string]: unknown };

/** Returns the texts of a namespace, or their compiled forms, by path. */
function flatten(tree: Tree, path = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value as Tree, `${path}${key}.`)
      : [[path + key, value]],
  );
}

/** Returns a value for every placeholder, and for every tag a function that keeps the text inside. */
const valuesFor = (text: string, number: number) =>
  Object.fromEntries([
    ...[...text.matchAll(/\{\s*(\w+)/g)].map(([, name]) => [name, number]),
    ...[...text.matchAll(/<(\w+)>/g)].map(([, name]) => [name, (inside: unknown) => inside]),
  ]);

const joinParts = (formattedParts: unknown) => [formattedParts].flat(9).join('');

describe.each(LOCALES)('the messages in %s', (locale) => {
  it('show the same texts when compiled, and are plain data', async () => {
    const namespaces = Object.keys(MESSAGE_LOADERS) as Namespace[];
    const loadedMessages = await loadMessages(locale, namespaces);
    const cache = {} as never;
    const formatters = {
      getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) =>
        new Intl.NumberFormat(...args),
      getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) =>
        new Intl.PluralRules(...args),
      getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
        new Intl.DateTimeFormat(...args),
    } as never;
    const options = { cache, formatters, locale: LANGUAGE_TAGS[locale] };
    const differences: string[] = [];
    let formattedCount = 0;
    for (const namespace of namespaces) {
      const compiledByPath = new Map(flatten(loadedMessages[namespace] as Tree));
      const messages = (await MESSAGE_LOADERS[namespace][locale]()).default as Tree;
      const t = createTranslator({ locale: LANGUAGE_TAGS[locale] as never, messages: messages as never });
      for (const [path, text] of flatten(messages)) {
        for (const number of [0, 1, 2, 12_345]) {
          const values = valuesFor(String(text), number);
          const plainText = joinParts(t.rich(path as never, values as never));
          const message = compiledByPath.get(path) as never;
          const compiledText = joinParts(formatCompiled(path, message, values as never, options as never));
          formattedCount++;
          if (plainText !== compiledText)
            differences.push(`${namespace}.${path}: "${plainText}" compiled: "${compiledText}"`);
        }
      }
    }
    expect(differences).toEqual([]);
    expect(formattedCount).toBeGreaterThan(4_000);
    // React can pass only plain data to the browser.
    expect(structuredClone(loadedMessages)).toStrictEqual(loadedMessages);
  });
});
