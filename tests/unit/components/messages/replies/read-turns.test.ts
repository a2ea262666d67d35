import { expect, it } from 'vitest';
import { readTurns } from '../../../../../src/components/messages/replies/read-turns';

it('a stored conversation shows as from the buyer what the text provider read as from the buyer', () => {
  const content = 'Hi';
  const conversation = ['buyer', ' Buyer ', 'BUYER', 'shop', 'buyers'].map((sender) => ({ sender, content }));
  expect(readTurns(conversation).map(({ isFromBuyer }) => isFromBuyer)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

it.each([null, 'Hi', [null, 1, { sender: 'buyer' }, { content: 'Hi' }]])(
  'of %j, nothing is a message',
  (conversation) => {
    expect(readTurns(conversation)).toEqual([]);
  },
);
