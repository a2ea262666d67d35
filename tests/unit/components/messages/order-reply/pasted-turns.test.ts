import { describe, expect, it } from 'vitest';
import { readPastedTurns } from '../../../../../src/components/messages/order-reply/pasted-turns';
import { namesOfBuyer } from '../../../../../src/server/messages/buyer-names';

const NAMES = { buyer: namesOfBuyer('Wynn (4y1po5ze)', 'Sable Proxy'), shop: ['Fox and Bricks'] };
const readTurns = (text: string) =>
  readPastedTurns(text, NAMES).map(({ sender, content }) => `${sender}: ${content}`);

describe('a pasted conversation', () => {
  it('without a speaker is one message from the buyer, with its blank lines and colons', () => {
    expect(readTurns('  Hi!\n\nTwo things: size and colour.\n')).toEqual([
      'buyer: Hi!\n\nTwo things: size and colour.',
    ]);
    expect(readTurns(' \n ')).toEqual([]);
  });

  it.each([
    ['Buyer: Hi\nwhere is it?\nShop: On its way.\nBuyer: Thanks'],
    ['sable proxy: Hi\nwhere is it?\nFox and Bricks: On its way.\n4y1po5ze: Thanks'],
    ['Wynn\nHi\nwhere is it?\nFox and Bricks\nOn its way.\nSable Proxy\nThanks'],
    ['买家：Hi\nwhere is it?\n卖家：On its way.\n客户: Thanks'],
    ['Hi\r\nwhere is it?\r\nMe: On its way.\r\nBuyer:\r\nThanks'],
  ])('is split into messages: %j', (text) => {
    expect(readTurns(text)).toEqual(['buyer: Hi\nwhere is it?', 'shop: On its way.', 'buyer: Thanks']);
  });

  it('is not split at a word such as "me" within its text', () => {
    expect(readTurns('Tell me: when?\nbuyer')).toEqual(['buyer: Tell me: when?\nbuyer']);
  });
});
