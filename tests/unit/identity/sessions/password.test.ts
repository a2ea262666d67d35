import { expect, it } from 'vitest';
import {
  generatePassword,
  hashPassword,
  verifyPassword,
} from '../../../../src/server/identity/sessions/password';

it('a password is hashed with argon2id, and a different password does not match the hash', async () => {
  const hash = await hashPassword('correct horse battery');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, 'correct horse battery')).toBe(true);
  expect(await verifyPassword(hash, 'Correct horse battery')).toBe(false);
});

it('a password has a different hash each time', async () => {
  expect(await hashPassword('correct horse battery')).not.toBe(await hashPassword('correct horse battery'));
});

it('a password set in one Unicode normalization form is accepted in another, because keyboards differ', async () => {
  const hash = await hashPassword('Kaffeeklatsch für Ältere'.normalize('NFD'));
  expect(await verifyPassword(hash, 'Kaffeeklatsch für Ältere'.normalize('NFC'))).toBe(true);
});

it('generated passwords are unique and have 20 letters and digits, without those that look alike', () => {
  const passwords = new Set(Array.from({ length: 200 }, generatePassword));
  expect(passwords.size).toBe(200);
  for (const password of passwords) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){4}[a-hjkmnp-z2-9]{4}$/);
});
