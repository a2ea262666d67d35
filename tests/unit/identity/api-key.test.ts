import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiKeys, hashSecret } from '../../../src/server/identity/secret-token';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keys = Array.from({ length: 1_000 }, () => apiKeys.generate());

describe('a new API key', () => {
  it('is well formed: bdk_, 40 random letters and a checksum of six', () => {
    for (const { key } of keys) {
      expect(key).toMatch(/^bdk_[0-9A-Za-z]{46}$/);
      expect(apiKeys.isWellFormed(key)).toBe(true);
    }
  });

  it('is unique, and so are its stored hash and prefix', () => {
    expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
    expect(new Set(keys.map(({ hash }) => hash.toString('hex'))).size).toBe(keys.length);
  });

  it('is stored as its SHA-256 hash', () => {
    const { key, hash } = keys[0]!;
    expect(hash).toEqual(createHash('sha256').update(key).digest());
    expect(hashSecret(key)).toEqual(hash);
    expect(hash).toHaveLength(32);
  });

  it('is recognisable by its prefix and last four characters', () => {
    for (const { key, prefix, lastFour } of keys) {
      expect(prefix).toMatch(/^bdk_.{4}$/);
      expect(key.startsWith(prefix) && key.endsWith(lastFour)).toBe(true);
      expect(lastFour).toHaveLength(4);
    }
  });

  it('uses all letters equally often', () => {
    const count = new Map<string, number>();
    for (const { key } of keys)
      for (const letter of key.slice(4, 44)) count.set(letter, (count.get(letter) ?? 0) + 1);
    expect(count.size).toBe(LETTERS.length);
    const expected = (keys.length * 40) / LETTERS.length;
    let chiSquare = 0;
    for (const letter of LETTERS) chiSquare += ((count.get(letter) ?? 0) - expected) ** 2 / expected;
    // With 61 degrees of freedom, chance exceeds 150 once in 10^9 runs. Taking every byte modulo 62 would give about 320.
    expect(chiSquare).toBeLessThan(150);
  });
});

describe('the checksum', () => {
  it('detects any single wrong letter', () => {
    const { key } = keys[0]!;
    for (let place = 0; place < key.length; place++) {
      for (const letter of LETTERS) {
        if (letter === key[place]) continue;
        const other = key.slice(0, place) + letter + key.slice(place + 1);
        if (apiKeys.isWellFormed(other)) expect.fail(`${letter} at ${place}`);
      }
    }
  });

  it('detects two swapped neighbouring letters', () => {
    const { key } = keys[0]!;
    for (let place = 4; place < key.length - 1; place++) {
      const [a, b] = [key[place]!, key[place + 1]!];
      if (a !== b)
        expect(apiKeys.isWellFormed(key.slice(0, place) + b + a + key.slice(place + 2))).toBe(false);
    }
  });

  it('is the same in every version, so old keys stay valid', () => {
    expect(apiKeys.isWellFormed(`bdk_${'0'.repeat(40)}2kaqcA`)).toBe(true);
  });
});

describe('an API key is never', () => {
  const { key } = keys[0]!;

  it.each([
    ['nothing', ''],
    ['a prefix', 'bdk_'],
    ['one cut short', key.slice(0, -1)],
    ['one with more', `${key}0`],
    ['one with a space', `${key} `],
    ['one with a line break', `${key}\n`],
    ['one without its prefix', key.slice(4)],
    ['one in capitals', key.toUpperCase()],
    ['two', `${key},${key}`],
    ['a very long text', 'bdk_'.repeat(100_000)],
    ['U+0000', `${key.slice(0, 20)}\u0000${key.slice(21)}`],
  ])('%s', (_what, text) => {
    expect(apiKeys.isWellFormed(text)).toBe(false);
  });
});
