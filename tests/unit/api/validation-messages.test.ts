import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sentenceOf } from '../../../src/server/core/errors/sentence';
import { attachedReason, reasonOf } from '../../../src/server/core/errors/validation';
import { channelFormSchema } from '../../../src/server/notifications/schema';
import { createInvalidInputs, INPUT_SCHEMAS } from '../../support/invalid-inputs';
import { isLibraryWording, zodSentences } from '../../support/library-wording';

const issuesFor = (input: z.ZodType, value: unknown) => input.safeParse(value).error?.issues ?? [];

const sentencesFor = (input: z.ZodType, value: unknown) =>
  issuesFor(input, value).map((issue) => sentenceOf(reasonOf(issue)));

it('isLibraryWording recognises every zod message', () => {
  expect(zodSentences().filter((message) => !isLibraryWording(message))).toEqual([]);
});

describe.each(INPUT_SCHEMAS)('the problem with an input of %s', (_, input) => {
  it('is a reason of our own, never a zod message', () => {
    const issues = createInvalidInputs(input).flatMap((value) => issuesFor(input, value));
    expect(issues.filter((issue) => attachedReason(issue) === null)).toEqual([]);
    const sentences = new Set(issues.map((issue) => sentenceOf(reasonOf(issue))));
    expect([...sentences].filter(isLibraryWording)).toEqual([]);
    // Every schema with a pattern must have its own sentence rather than fall back on the general one.
    expect([...sentences].filter((sentence) => sentence.includes('the format in the documentation'))).toEqual(
      [],
    );
  });
});

describe('the message', () => {
  const schema = z.strictObject({
    text: z.string().min(1).max(3),
    count: z.int().min(1).max(9).optional(),
    share: z.number().gt(0).lt(1).optional(),
    kind: z.enum(['a', 'b']).optional(),
    flag: z.boolean().optional(),
    list: z.array(z.string()).min(1).max(2).optional(),
    either: z.union([z.string(), z.number(), z.null()]).optional(),
    near: z.union([z.string(), z.object({ id: z.int() })]).optional(),
    only: z.literal('x').optional(),
  });

  it.each([
    [{}, 'text', 'is required'],
    [{ text: 5 }, 'text', 'must be text'],
    [{ text: '' }, 'text', 'must not be empty'],
    [{ text: 'long' }, 'text', 'must have at most 3 characters'],
    [{ text: 'a', count: '5' }, 'count', 'must be a whole number'],
    [{ text: 'a', count: 5.5 }, 'count', 'must be a whole number'],
    [{ text: 'a', count: 0 }, 'count', 'must be at least 1'],
    [{ text: 'a', count: 10 }, 'count', 'must be at most 9'],
    [{ text: 'a', share: '1' }, 'share', 'must be a number'],
    [{ text: 'a', share: Number.POSITIVE_INFINITY }, 'share', 'must be a finite number'],
    [{ text: 'a', share: 0 }, 'share', 'must be more than 0'],
    [{ text: 'a', share: 1 }, 'share', 'must be less than 1'],
    [{ text: 'a', kind: 'c' }, 'kind', 'must be one of a, b'],
    [{ text: 'a', flag: 'true' }, 'flag', 'must be true or false'],
    [{ text: 'a', list: {} }, 'list', 'must be a list'],
    [{ text: 'a', list: [] }, 'list', 'must not be empty'],
    [{ text: 'a', list: ['1', '2', '3'] }, 'list', 'must have at most 2 entries'],
    [{ text: 'a', either: {} }, 'either', 'must be text, a number or null'],
    [{ text: 'a', near: { id: 'x' } }, 'near', 'id: must be a whole number'],
    [{ text: 'a', only: 'y' }, 'only', 'must be x'],
    ['text', '', 'must be an object'],
    [undefined, '', 'must be an object'],
  ])('about %j is: %s %s', (value, path, message) => {
    const issues = schema.safeParse(value).error?.issues ?? [];
    expect(issues.map((issue) => [issue.path.join('.'), sentenceOf(reasonOf(issue))])).toEqual([
      [path, message],
    ]);
  });

  it('about an unknown field names the known fields if they are few', () => {
    expect(
      sentencesFor(z.strictObject({ from: z.string(), until: z.string() }), { from: 'a', until: 'b', to: 1 }),
    ).toEqual(['is not a known field; the known fields are from, until']);
    const manyFields = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`f${n}`, z.string().optional()]),
    );
    expect(sentencesFor(z.strictObject(manyFields), { to: 1 })).toEqual([
      'is not a known field; leave it out',
    ]);
  });

  it('about a shop in the notification form says that it is not a shop', () => {
    const { shape } = channelFormSchema;
    for (const shopId of ['x', '0', '1.5', ''])
      expect(sentencesFor(shape.shop_ids, ['1', shopId])).toEqual(['must be the id of a shop']);
  });
});
