import { expect, it } from 'vitest';
import { chooseLocale } from '../../../src/i18n/locale';

it.each([
  ['zh', 'en-US', 'zh'],
  ['en', 'zh-CN', 'en'],
  ['fr', 'zh-CN', 'zh'],
  [undefined, 'zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  [undefined, 'de-DE,de;q=0.9,zh-TW;q=0.3,en;q=0.7', 'en'],
  [undefined, 'de', 'en'],
  [undefined, 'zh;q=0', 'en'],
  [undefined, null, 'en'],
] as const)('the language with the cookie %s and Accept-Language %s is %s', (cookie, header, locale) => {
  expect(chooseLocale(cookie, header)).toBe(locale);
});
