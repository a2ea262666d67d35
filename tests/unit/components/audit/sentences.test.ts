import { createTranslator } from 'next-intl';
import { describe, expect, it } from 'vitest';
import {
  AUDIT_FIELD_NAMES,
  AUDIT_GROUP_NAMES,
  AUDIT_RECORD_NAMES,
} from '../../../../src/components/audit/names';
import { AUDIT_SENTENCES } from '../../../../src/components/audit/sentences';
import { LOCALES } from '../../../../src/i18n/locale';
import { MESSAGE_LOADERS } from '../../../../src/i18n/messages';
import { AUDIT_GROUPS, AUDIT_RECORD_TYPES, type AuditAction } from '../../../../src/server/audit/actions';
import { AUDIT_ACTIONS } from '../../../../src/server/audit/schema';

/** The values of a sentence: the entry's fields, and what the page derives from them. */
const VALUES = {
  ...Object.fromEntries(Object.keys(AUDIT_FIELD_NAMES).map((field) => [field, 2])),
  actor: 'Ann',
  record: 'Fox and Bricks',
  fields: 'currency',
  fieldCount: 1,
  before: 'EUR',
  after: 'USD',
};

async function loadSentenceWriter(locale: (typeof LOCALES)[number]) {
  const { default: audit } = await MESSAGE_LOADERS.audit[locale]();
  const fail = (error: Error) => {
    throw error;
  };
  const t = createTranslator({ locale, messages: audit, onError: fail, timeZone: 'UTC' });
  return (action: AuditAction) => t(AUDIT_SENTENCES[action], VALUES);
}

describe.each(LOCALES)('in %s', (locale) => {
  it.each(AUDIT_ACTIONS)('%s has a sentence that says who acted', async (action) => {
    expect((await loadSentenceWriter(locale))(action)).toMatch(/^Ann ./);
  });
});

it('a single change is shown with the old and the new value', async () => {
  expect((await loadSentenceWriter('en'))('account.update')).toBe(
    'Ann changed the currency of shop Fox and Bricks from EUR to USD',
  );
  expect((await loadSentenceWriter('zh'))('account.update')).toBe(
    'Ann 修改了店铺“Fox and Bricks”的currency：EUR → USD',
  );
});

it('a recovery code is not said to be for a sign-in, nor a signing key to be the first one', async () => {
  const [en, zh] = [await loadSentenceWriter('en'), await loadSentenceWriter('zh')];
  expect(en('two_factor.use_recovery_code')).toBe('Ann used a recovery code');
  expect(zh('two_factor.use_recovery_code')).toBe('Ann 使用了一个恢复码');
  expect(en('oauth_key.create')).toBe('Ann created a key that signs tokens');
  expect(zh('oauth_key.create')).toBe('Ann 创建了令牌签名密钥');
});

it('every group and every type of record has a name', () => {
  expect(Object.keys(AUDIT_GROUP_NAMES)).toEqual(Object.keys(AUDIT_GROUPS));
  expect(Object.keys(AUDIT_RECORD_NAMES).sort()).toEqual([...AUDIT_RECORD_TYPES].sort());
});

it('no action is in two groups', () => {
  expect(new Set(AUDIT_ACTIONS).size).toBe(AUDIT_ACTIONS.length);
});
