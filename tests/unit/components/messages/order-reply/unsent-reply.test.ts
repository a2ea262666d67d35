import { describe, expect, it } from 'vitest';
import { HANDWRITTEN_KEY } from '../../../../../src/components/messages/order-reply/open-drafts';
import {
  type UnsentReply,
  warningsAbout,
  withTranslation,
} from '../../../../../src/components/messages/order-reply/unsent-reply';
import type { Warning } from '../../../../../src/server/messages/warning';

const UNSENT_REPLY: UnsentReply = {
  pasted: 'Où est mon colis ?',
  key: 'k',
  chosen: null,
  texts: {},
  translation: null,
  originals: {},
};
const TRANSLATED_DRAFT = { replyKey: 'k', textKey: '7', text: 'Hello.' };
const TRANSLATION = { text: 'Bonjour.', warnings: [] };

describe('a draft translated for the buyer', () => {
  it('has the translation as its text, and its previous text as its original', () => {
    expect(withTranslation(UNSENT_REPLY, TRANSLATED_DRAFT, TRANSLATION)).toEqual({
      ...UNSENT_REPLY,
      chosen: '7',
      texts: { 7: 'Bonjour.' },
      originals: { 7: { text: 'Hello.', warnings: [] } },
    });
  });

  it('does not affect another draft that was chosen and edited in the meantime', () => {
    const latestReply = {
      ...UNSENT_REPLY,
      chosen: HANDWRITTEN_KEY,
      texts: { [HANDWRITTEN_KEY]: 'By hand.' },
    };
    expect(withTranslation(latestReply, TRANSLATED_DRAFT, TRANSLATION)).toMatchObject({
      chosen: HANDWRITTEN_KEY,
      texts: { [HANDWRITTEN_KEY]: 'By hand.', 7: 'Bonjour.' },
    });
  });

  it('keeps as its original what was typed while the translation was pending', () => {
    const latestReply = { ...UNSENT_REPLY, chosen: '7', texts: { 7: 'Hello, and more.' } };
    expect(withTranslation(latestReply, TRANSLATED_DRAFT, TRANSLATION).originals[7]!.text).toBe(
      'Hello, and more.',
    );
  });

  it('does not affect the next reply if its own reply was sent while the translation was pending', () => {
    const nextReply = { ...UNSENT_REPLY, key: 'next' };
    expect(withTranslation(nextReply, TRANSLATED_DRAFT, TRANSLATION)).toBe(nextReply);
  });
});

it('the warnings about a translation include those about the request for its draft, but not those about the text of the draft', () => {
  const noOrder: Warning = { kind: 'order_number', value: '77', reason: 'no_order' };
  const otherBuyer: Warning = { kind: 'buyer_name', value: 'Sam', reason: 'other_buyer' };
  const amount: Warning = { kind: 'amount', value: '$5', reason: 'unconfirmed' };
  const lostAmount: Warning = { kind: 'amount', value: '$5', reason: 'lost' };
  const draftWarnings = [otherBuyer, noOrder, amount];
  expect(warningsAbout(draftWarnings, undefined)).toEqual(draftWarnings);
  expect(warningsAbout(draftWarnings, { text: 'You get $5.', warnings: [lostAmount] })).toEqual([
    otherBuyer,
    noOrder,
    lostAmount,
  ]);
});
