import { expect, it } from 'vitest';
import { readTurns } from '../../../../../src/components/messages/replies/read-turns';

it('a stored turn is shown as the buyer’s if its sender is "buyer" in any letter case and with any spaces around it', () => {
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
  'nothing in %j is a turn of a conversation',
  (conversation) => {
    expect(readTurns(conversation)).toEqual([]);
  },
);
