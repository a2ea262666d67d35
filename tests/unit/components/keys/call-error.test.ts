import { createTranslator } from 'next-intl';
import { describe, expect, it } from 'vitest';
import chinese from '../../../../messages/zh/reasons.json';
import { formatCallError } from '../../../../src/components/keys/call-error';
import { type AnyReason, formatReason } from '../../../../src/components/ui/feedback/reason-text';
import { ServiceError, validationError } from '../../../../src/server/core/errors/errors';
import { createReason, problemAt } from '../../../../src/server/core/errors/reason';
import { REASONS } from '../../../../src/server/core/errors/reasons';
import { type LoggedError, maskError } from '../../../../src/server/gateway/masked-error';
import { scopeRefusal } from '../../../../src/server/identity/scope';

const translateToEnglish = createTranslator({ locale: 'en', messages: REASONS as typeof chinese });
const translateToChinese = createTranslator({ locale: 'zh', messages: chinese });
const inEnglish = (reason: AnyReason) => formatReason(reason, 'en', translateToEnglish);
const inChinese = (reason: AnyReason) => formatReason(reason, 'zh', translateToChinese);

const logged = (error: LoggedError) => ({
  ...maskError(error, new Set(['account_id'])),
  problems: [...maskError(error, new Set(['account_id'])).problems],
  message: error.code,
  errors: [],
});
const EMPTY = createReason('text.empty');
const NO_SHOP = createReason('body.account', { id: 1 });

describe('the error of a call', () => {
  it('is shown once, even if its summary is its only problem', () => {
    const sentence = 'account_id: must refer to an existing shop; none has the id 1';
    const oneProblem = logged(validationError([problemAt('account_id', NO_SHOP)]));
    expect(formatCallError(oneProblem, inEnglish)).toEqual([sentence]);
    expect(formatCallError(oneProblem, inChinese)).toEqual(['account_id：没有编号为 1 的店铺']);
    const pathlessProblem = logged(validationError([problemAt('', EMPTY)]));
    expect(formatCallError(pathlessProblem, inEnglish)).toEqual(['must not be empty']);
    const problems = [problemAt('account_id', NO_SHOP), problemAt('', EMPTY)];
    const summarised = logged(new ServiceError('conflict', createReason('import.stale'), { problems }));
    expect(formatCallError(summarised, inEnglish)).toEqual([
      REASONS.import.stale,
      sentence,
      'must not be empty',
    ]);
  });

  it('is in Chinese on Chinese pages, and has what was masked as “…”', () => {
    const unknownNumber = createReason('tracking.unknownNumber', { number: 'LXJANEDOE' });
    const refusal = logged(new ServiceError('not_found', unknownNumber));
    expect(formatCallError(refusal, inChinese)).toEqual(['没有物流单号 … 的任何信息。']);
    const scopeError = logged(scopeRefusal({ scopes: ['get_api_user'], addressRanges: [] }, undefined)!);
    expect(formatCallError(scopeError, inChinese)).toEqual(['此 API 密钥无权调用此接口，请换一个密钥。']);
    const kinds = createReason('type.kinds', { kinds: [createReason('kind.text'), 'null'] });
    const invalidInput = logged(validationError([problemAt('Jane', kinds), problemAt('account_id', EMPTY)]));
    const texts = formatCallError(invalidInput, inChinese);
    expect(texts).toEqual([
      expect.stringMatching(/^…：必须是.*（另有 1 处）$/),
      expect.stringMatching(/^…：必须是/),
      expect.stringMatching(/^account_id：/),
    ]);
    expect(texts.join(' ')).not.toMatch(/must|Jane/);
  });

  it('is in English if the previous release logged it, whatever the language of the page', () => {
    const errors = [
      { path: 'account_id', message: 'must refer to an existing shop; none has the id 1' },
      { path: '', message: 'must not be empty' },
    ];
    const oldError = (message: string) =>
      formatCallError({ code: 'validation_failed', message, errors }, inChinese);
    const sentence = 'account_id: must refer to an existing shop; none has the id 1';
    expect(oldError(sentence)).toEqual([sentence, 'must not be empty']);
    expect(oldError('must not be empty')).toEqual(['must not be empty', sentence]);
    expect(oldError('Nothing was imported.')).toEqual([
      'Nothing was imported.',
      sentence,
      'must not be empty',
    ]);
  });
});
