import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiKeys, hashSecret } from '../../../src/server/identity/secret-token';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keys = Array.from({ length: 1_000 }, () => apiKeys.generate());

describe('a new API key', () => {
  it('is well formed: bdk_, 40 random characters and a checksum of six', () => {
    for (const { secret: key } of keys) {
      expect(key).toMatch(/^bdk_[0-9A-Za-z]{46}$/);
      expect(apiKeys.isWellFormed(key)).toBe(true);
    }
  });

  it('is unique, and so is its hash', () => {
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(keys.length);
    expect(new Set(keys.map(({ hash }) => hash.toString('hex'))).size).toBe(keys.length);
  });

  it('is stored as its SHA-256 hash', () => {
    const { secret: key, hash } = keys[0]!;
    expect(hash).toEqual(createHash('sha256').update(key).digest());
    expect(hashSecret(key)).toEqual(hash);
    expect(hash).toHaveLength(32);
  });

  it('is recognisable by its prefix and last four characters', () => {
    for (const { secret: key, prefix, lastFour } of keys) {
      expect(prefix).toMatch(/^bdk_.{4}$/);
      expect(key.startsWith(prefix) && key.endsWith(lastFour)).toBe(true);
      expect(lastFour).toHaveLength(4);
    }
  });

  it('uses all letters and digits equally often', () => {
    const counts = new Map<string, number>();
    for (const { secret: key } of keys)
      for (const character of key.slice(4, 44)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(CHARACTERS.length);
    const expectedCount = (keys.length * 40) / CHARACTERS.length;
    let chiSquare = 0;
    for (const character of CHARACTERS)
      chiSquare += ((counts.get(character) ?? 0) - expectedCount) ** 2 / expectedCount;
    // With 61 degrees of freedom, chance exceeds 150 about twice in 10^9 runs. Taking every byte modulo 62 would give about 325.
    expect(chiSquare).toBeLessThan(150);
  });
});

describe('the checksum', () => {
  it('detects any single wrong character', () => {
    const { secret: key } = keys[0]!;
    for (let index = 0; index < key.length; index++) {
      for (const character of CHARACTERS) {
        if (character === key[index]) continue;
        const alteredKey = key.slice(0, index) + character + key.slice(index + 1);
        if (apiKeys.isWellFormed(alteredKey)) expect.fail(`${character} at ${index}`);
      }
    }
  });

  it('detects two swapped neighbouring characters', () => {
    const { secret: key } = keys[0]!;
    for (let index = 4; index < key.length - 1; index++) {
      const [a, b] = [key[index]!, key[index + 1]!];
      if (a !== b)
        expect(apiKeys.isWellFormed(key.slice(0, index) + b + a + key.slice(index + 2))).toBe(false);
    }
  });

  it('is computed as in earlier versions, so old keys stay valid', () => {
    expect(apiKeys.isWellFormed(`bdk_${'0'.repeat(40)}2kaqcA`)).toBe(true);
  });
});

describe('a string is not a well-formed API key if it', () => {
  const { secret: key } = keys[0]!;

  it.each([
    ['is empty', ''],
    ['is only the prefix', 'bdk_'],
    ['lacks the last character', key.slice(0, -1)],
    ['has one character too many', `${key}0`],
    ['ends with a space', `${key} `],
    ['ends with a line break', `${key}\n`],
    ['lacks the prefix', key.slice(4)],
    ['is in capitals', key.toUpperCase()],
    ['consists of two keys', `${key},${key}`],
    ['is very long', 'bdk_'.repeat(100_000)],
    ['contains U+0000', `${key.slice(0, 20)}\u0000${key.slice(21)}`],
  ])('%s', (_, text) => {
    expect(apiKeys.isWellFormed(text)).toBe(false);
  });
});
