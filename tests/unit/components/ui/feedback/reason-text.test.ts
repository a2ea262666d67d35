import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTranslator } from 'next-intl';
import { describe, expect, expectTypeOf, it } from 'vitest';
import chinese from '../../../../../messages/zh/reasons.json';
import { formatReason } from '../../../../../src/components/ui/feedback/reason-text';
import {
  createReason,
  type Reason,
  type ReasonValue,
  type ValuesOf,
} from '../../../../../src/server/core/errors/reason';
import { REASONS } from '../../../../../src/server/core/errors/reasons';
import { REASON_KEYS, sentenceOf } from '../../../../../src/server/core/errors/sentence';
import { REAL_REASONS } from '../../../../support/reasons/real-reasons';

const translateToEnglish = createTranslator({ locale: 'en', messages: REASONS as typeof chinese });
const translateToChinese = createTranslator({ locale: 'zh', messages: chinese });
const englishTextOf = (reason: Reason) => formatReason(reason, 'en', translateToEnglish);
const chineseTextOf = (reason: Reason) => formatReason(reason, 'zh', translateToChinese);

/** Returns every string in a reason's values, including those of nested reasons. */
function textsIn(value: ReasonValue): string[] {
  if (typeof value !== 'object') return [String(value)];
  return ('reason' in value ? Object.values(value.values) : value).flatMap(textsIn);
}

describe.each(REAL_REASONS)('the reason for %s', (_, loadReasons) => {
  it('is the API’s sentence on English pages, and a Chinese sentence on Chinese pages', async () => {
    const reasons = await loadReasons();
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) {
      expect(englishTextOf(reason)).toBe(sentenceOf(reason));
      const text = chineseTextOf(reason);
      expect(text).toMatch(/\p{Script=Han}/u);
      // The remaining Latin letters may only be names of programs and formats, not English words.
      const ownText = textsIn(reason).reduce((rest, value) => rest.replaceAll(value, ''), text);
      expect(ownText).not.toMatch(/\b(?:must|is|has|the|of|and|not)\b/);
    }
  });
});

it('every reason is used somewhere in the service', () => {
  const folder = path.resolve('src', 'server');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /[.](ts|sql)$/.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('');
  expect(
    REASON_KEYS.filter((key) => !new RegExp(`['"]${key.replace('.', '[.]')}['"]`).test(source)),
    'Use these reasons in src/server, or remove them from core/errors/reasons/ and from messages/*/reasons.json.',
  ).toEqual([]);
});

it('a reason accepts the values that its sentence names, and no others', () => {
  expectTypeOf<ValuesOf<'text.empty'>>().toEqualTypeOf<[]>();
  expectTypeOf<ValuesOf<'text.long'>>().toEqualTypeOf<[values: Readonly<Record<'count', ReasonValue>>]>();
  expectTypeOf(createReason<'cell.wholeRange'>)
    .parameter(1)
    .toEqualTypeOf<Readonly<Record<'minimum' | 'maximum', ReasonValue>>>();
});

it('the text of a reason quotes a value unchanged', () => {
  const reason = createReason('cell.noDate', { value: 'a {b} <c> \'d\' \n"e"' });
  expect(chineseTextOf(reason)).toContain('“a {b} <c> \'d\' \n"e"”');
  expect(englishTextOf(reason)).toBe(sentenceOf(reason));
});

it('a stored reason that no longer exists is shown as its key', () => {
  const storedReason = JSON.parse('{"reason":"cell.gone","values":{}}') as Reason;
  expect(sentenceOf(storedReason)).toBe('cell.gone');
  expect(chineseTextOf(storedReason)).toBe('cell.gone');
});
