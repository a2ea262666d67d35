import { describe, expect, it } from 'vitest';
import { isCommonPassword } from '../../../../src/server/identity/sessions/common-passwords';

const EMAIL = 'ann.miller@example.com';

describe('a password is too common', () => {
  it.each([
    ['if it is a well-known one', 'unbelievable'],
    ['if it is a well-known one with digits and symbols appended', 'password1234!?'],
    ['if it is a well-known one in full-width letters', 'ｐａｓｓｗｏｒｄ１２３４'],
    ['if it contains no letters', '2026-11-25 08:46'],
    ['if it repeats up to four characters', '我的猫!我的猫!我的猫!我的猫!'],
    ["if it is the name in the user's e-mail address with digits appended", 'Ann.Miller2026'],
  ])('%s', async (_, password) => {
    expect(await isCommonPassword(password, EMAIL)).toBe(true);
  });

  it("if it is the user's e-mail address, whatever its case", async () => {
    expect(await isCommonPassword('Wren.Hollis@Example.com', 'wren.hollis@example.com')).toBe(true);
    expect(await isCommonPassword('wren.hollis@example.com', 'Wren.Hollis@Example.com')).toBe(true);
  });

  it.each(['ownerlocalhost1', 'owner.localhost', 'Owner-Localhost2026!'])(
    'if it is the e-mail address without its symbols or with others: %s',
    async (password) => {
      expect(await isCommonPassword(password, 'owner@localhost')).toBe(true);
    },
  );

  it.each(['oswin.trelawny1985', 'Oswin.Trelawny2026!', 'oswintrelawny'])(
    'if it is the name in an e-mail address that ends with digits, with the same digits, others or none: %s',
    async (password) => {
      expect(await isCommonPassword(password, 'oswin.trelawny1985@example.com')).toBe(true);
    },
  );
});

describe('a password is not too common', () => {
  it.each([
    ['if it consists of four unrelated words', 'correct horse battery staple'],
    ['if it is a Chinese sentence without any Latin letter', '我家的猫喜欢在窗台上晒太阳'],
    ['if it consists of Cyrillic words and digits', 'красная лодка 2026'],
  ])('%s', async (_, password) => {
    expect(await isCommonPassword(password, EMAIL)).toBe(false);
  });
});
