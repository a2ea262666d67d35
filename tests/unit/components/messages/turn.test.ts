import { expect, it } from 'vitest';
import { readTurns } from '../../../../src/components/messages/turn';

it('a stored turn is shown as the buyer’s if its sender is "buyer" in any letter case and with any spaces around it', () => {
  const content = 'Hi';
  const conversation = ['buyer', ' Buyer ', 'BUYER', 'shop', 'buyers'].map((sender) => ({ sender, content }));
  expect(readTurns(conversation).map(({ sender }) => sender)).toEqual([
    'buyer',
    'buyer',
    'buyer',
    'shop',
    'shop',
  ]);
});

it.each([null, 'Hi', [null, 1, { sender: 'buyer' }, { content: 'Hi' }]])(
  'nothing in %j is a turn of a conversation',
  (conversation) => {
    expect(readTurns(conversation)).toEqual([]);
  },
);
