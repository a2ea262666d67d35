import { expect, it } from 'vitest';
import { chooseLocale, parseStoredLocale } from '../../../src/server/core/locales';

it.each([
  ['zh', 'en-US', 'zh'],
  ['en', 'zh-CN', 'en'],
  ['fr', 'zh-CN', 'zh'],
  [undefined, 'zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  [undefined, 'de-DE,de;q=0.9,zh-TW;q=0.3,en;q=0.7', 'en'],
  [undefined, 'de', 'en'],
  [undefined, 'zh;q=0', 'en'],
  [undefined, null, 'en'],
] as const)(
  'a user who chose %s and whose browser accepts %s gets %s',
  (chosenLocale, acceptLanguage, locale) => {
    expect(chooseLocale(chosenLocale, acceptLanguage)).toBe(locale);
  },
);

it('a stored language is used, or English if there are no pages in that language', () => {
  expect(['zh', 'en', 'de', 'constructor', ''].map(parseStoredLocale)).toEqual([
    'zh',
    'en',
    'en',
    'en',
    'en',
  ]);
});
