import { expect, it } from 'vitest';
import {
  generatePassword,
  hashPassword,
  verifyPassword,
} from '../../../../src/server/identity/sessions/password';

it('a password is kept as argon2id and verifies only itself', async () => {
  const hash = await hashPassword('correct horse battery');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, 'correct horse battery')).toBe(true);
  expect(await verifyPassword(hash, 'Correct horse battery')).toBe(false);
});

it('the same password has another hash each time', async () => {
  expect(await hashPassword('correct horse battery')).not.toBe(await hashPassword('correct horse battery'));
});

it('a password typed on another keyboard is the same password', async () => {
  const hash = await hashPassword('Kaffeeklatsch für Ältere'.normalize('NFD'));
  expect(await verifyPassword(hash, 'Kaffeeklatsch für Ältere'.normalize('NFC'))).toBe(true);
});

it('generated passwords are long, readable and never the same', () => {
  const created = new Set(Array.from({ length: 200 }, generatePassword));
  expect(created.size).toBe(200);
  for (const password of created) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){4}[a-hjkmnp-z2-9]{4}$/);
});
