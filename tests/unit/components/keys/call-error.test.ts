import { expect, it } from 'vitest';
import { callErrorText } from '../../../../src/components/keys/call-error';

const PROBLEMS = [
  { path: 'account_id', message: 'must refer to an existing shop; none has the id 1' },
  { path: '', message: 'must not be empty' },
];

it('an error is shown once, even if its message is its only problem', () => {
  const error = (message: string, errors: typeof PROBLEMS) =>
    callErrorText({ code: 'validation_failed', message, errors });
  const sentence = 'account_id: must refer to an existing shop; none has the id 1';
  expect(error(sentence, [PROBLEMS[0]!])).toBe(sentence);
  expect(error('must not be empty', [PROBLEMS[1]!])).toBe('must not be empty');
  expect(error('Nothing was imported.', PROBLEMS)).toBe(
    `Nothing was imported. ${sentence} must not be empty`,
  );
});
