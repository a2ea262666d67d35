import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTranslator } from 'next-intl';
import { describe, expect, it } from 'vitest';
import english from '../../../messages/en/reasons.json';
import chinese from '../../../messages/zh/reasons.json';
import { REASONS } from '../../../src/components/ui/feedback/reason-templates';
import { matchReason, sayReason } from '../../../src/components/ui/feedback/reason-text';
import { REAL_REASONS } from '../../support/real-reasons';

type Say = Parameters<typeof sayReason>[1];

function speaker(locale: 'en' | 'zh', messages: typeof english): Say {
  const t = createTranslator({ locale, messages });
  return (template, values) => t(REASONS[template], values);
}
const inEnglish = speaker('en', english);
const inChinese = speaker('zh', chinese);

/** What a reason and those inside of it were filled with. */
function given({ values }: NonNullable<ReturnType<typeof matchReason>>): string[] {
  return Object.values(values).flatMap((value) => (typeof value === 'string' ? [value] : given(value)));
}

describe.each(REAL_REASONS)('what is wrong with %s', (_, reasons) => {
  it('is known, said in Chinese, and in English in the words of the service', async () => {
    const said = await reasons();
    expect(said.length).toBeGreaterThan(0);
    for (const message of said) {
      const reason = matchReason(message);
      expect(reason, message).not.toBeNull();
      expect(sayReason(reason!, inEnglish)).toBe(message);
      const text = sayReason(reason!, inChinese);
      expect(text).toMatch(/\p{Script=Han}/u);
      // What is left in Latin letters was given, or is a name of a program or a format: no words in a row.
      const own = given(reason!).reduce((rest, value) => rest.replaceAll(value, ''), text);
      expect(own).not.toMatch(/\b(?:must|is|has|the|of|and|not)\b/);
    }
  });
});

it('every sentence is what the English message says, and is told from the others', () => {
  const example = (name: string) =>
    ({
      cells: 'A1',
      size: '3 MiB',
      limit: '2 KiB',
      path: 'a.b',
      reason: 'is required',
      name: 'n',
      names: 'a, b',
    })[name] ?? '7';
  for (const template of Object.keys(REASONS) as (keyof typeof REASONS)[]) {
    if (template === '{name} {reason}') continue;
    const sentence = template.replace(/\{(\w+)\}/g, (_, name: string) => example(name));
    const reason = matchReason(sentence);
    expect(reason?.template, sentence).toBe(template);
    expect(sayReason(reason!, inEnglish)).toBe(sentence);
  }
});

it('every sentence is still one of the service', () => {
  const folder = path.resolve('src', 'server');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll("\\'", "'"))
    .join('');
  for (const [template, key] of Object.entries(REASONS)) {
    // What validation.ts and fields.ts put together stands in no source as a whole.
    if (key.startsWith('type.')) continue;
    const pieces = template.split(/\{\w+\}|[.;:,] /).sort((a, b) => b.length - a.length);
    expect(source.includes(pieces[0]!.trim()), template).toBe(true);
  }
});

it('a sentence that is not known has no reason, nor one around it', () => {
  for (const message of [
    '',
    'must be purple',
    'held back: must be purple',
    'rows.1.a: must be purple',
    'The moon is required',
  ])
    expect(matchReason(message), message).toBeNull();
});

it('keeps what was quoted as it was written', () => {
  const message = '"a {b} <c> \'d\' \n"e"" is no date; it is kept as text';
  expect(sayReason(matchReason(message)!, inChinese)).toContain('“a {b} <c> \'d\' \n"e"”');
  expect(sayReason(matchReason(message)!, inEnglish)).toBe(message);
});
