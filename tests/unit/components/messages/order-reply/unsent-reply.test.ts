import { describe, expect, it } from 'vitest';
import {
  BY_HAND,
  type UnsentReply,
  withTranslation,
} from '../../../../../src/components/messages/order-reply/unsent-reply';

const UNSENT: UnsentReply = {
  pasted: 'Où est mon colis ?',
  key: 'k',
  chosen: null,
  texts: {},
  translation: null,
  originals: {},
};
const TRANSLATED = { replyKey: 'k', key: '7', text: 'Hello.' };
const TRANSLATION = { text: 'Bonjour.', warnings: [] };

describe('a draft translated for the buyer', () => {
  it('has the translation as its text, and the translated text as its original', () => {
    expect(withTranslation(UNSENT, TRANSLATED, TRANSLATION)).toEqual({
      ...UNSENT,
      chosen: '7',
      texts: { 7: 'Bonjour.' },
      originals: { 7: { text: 'Hello.', warnings: [] } },
    });
  });

  it('does not affect another draft that was chosen and edited in the meantime', () => {
    const latest = { ...UNSENT, chosen: BY_HAND, texts: { [BY_HAND]: 'By hand.' } };
    expect(withTranslation(latest, TRANSLATED, TRANSLATION)).toMatchObject({
      chosen: BY_HAND,
      texts: { [BY_HAND]: 'By hand.', 7: 'Bonjour.' },
    });
  });

  it('keeps, as its original, what was typed into it while the translation was pending', () => {
    const latest = { ...UNSENT, chosen: '7', texts: { 7: 'Hello, and more.' } };
    expect(withTranslation(latest, TRANSLATED, TRANSLATION).originals[7]!.text).toBe('Hello, and more.');
  });

  it('does not affect the next reply if its own reply was sent while the translation was pending', () => {
    const next = { ...UNSENT, key: 'next' };
    expect(withTranslation(next, TRANSLATED, TRANSLATION)).toBe(next);
  });
});
