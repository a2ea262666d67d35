import type { ProviderTurn } from '../../tests/support/stand-ins/text-provider-stand-in';
import type { DemoOrder } from './orders';
import type { DemoShop } from './shops';

/** Returns the prompts of a shop, oldest first; the last one that is not a draft is the published one. */
export function createDemoPrompts({ name }: DemoShop, shopIndex: number): { text: string; draft: boolean }[] {
  const text = `You answer buyers for ${name}. Be kind, brief and concrete, and sign as "${name}".`;
  const prompts = [{ text, draft: false }];
  if (shopIndex === 0) {
    const improvedText = `${text} Where a parcel is late, say so first and do not promise a day.`;
    prompts.push({ text: improvedText, draft: false });
  }
  if (shopIndex === 2) prompts.push({ text: `${text} Answer in the language of the buyer.`, draft: true });
  return prompts;
}

/** Buyers' questions, each with the sub-status of the shipment it asks about. */
const QUESTIONS: [subStatus: string, question: string][] = [
  ['InTransit_CustomsProcessing', 'Hi! My order has not moved for days, where is it?'],
  ['Delivered_Other', 'Your tracking says delivered, but I cannot find the parcel.'],
  ['Exception_Returning', 'Why is my parcel going back to you? I want a refund, please.'],
  ['DeliveryFailure_NoBody', 'I was not at home. Will they come again?'],
  ['AvailableForPickup_Other', 'Where do I have to collect it?'],
  ['InTransit_Departure', 'Will it be here for a birthday on the weekend?'],
  ['Exception_Damage', 'The box is crushed. Can I have a refund?'],
  ['NotFound_Other', 'The tracking number does not work.'],
  ['InfoReceived', 'Has my order been sent?'],
];

/** Returns the reply requests in the demo's history. */
export function createDemoConversations(orders: readonly DemoOrder[]) {
  const orderRequests = QUESTIONS.map(([subStatus, content]) => {
    const order = orders.findLast(({ story }) => story.subStatus === subStatus)!;
    return {
      shop_name: order.shop.name,
      order_number: order.receiptId,
      buyer_name: order.recipient.name,
      messages: [{ sender: 'buyer', content }],
    };
  });
  const { shop, receiptId } = orders.findLast(({ story }) => story.subStatus === 'Delivered_Other')!;
  const messages = [{ sender: 'buyer', content: 'Can you tell me where my order is?' }];
  return [
    ...orderRequests,
    // Requests with another buyer's name, with an unknown order number, and without an order.
    { shop_name: shop.name, order_number: receiptId, buyer_name: 'Somebody Else', messages },
    { shop_name: shop.name, order_number: '999', messages },
    { shop_name: shop.name, messages: [{ sender: 'buyer', content: 'Do you make figures of cats?' }] },
  ];
}

interface ReplyFacts {
  buyer?: string;
  order?: { order_number: string; tracking_text: string };
}

function readFacts(turns: readonly ProviderTurn[]): ReplyFacts {
  const systemText = turns.find(({ role }) => role === 'system')?.content ?? '';
  const json = /```json\n([\s\S]*)\n```/.exec(systemText)?.[1];
  return json ? (JSON.parse(json) as ReplyFacts) : {};
}

/**
 * Stands in for the text provider: writes a reply from the facts in the request, as a real one would. If the buyer asks for a
 * refund, the reply names an unconfirmed amount, so that the demo has a warning to show.
 */
export function writeReply(turns: readonly ProviderTurn[]): string {
  const { buyer, order } = readFacts(turns);
  const question = turns.findLast(({ role }) => role === 'user')?.content ?? '';
  const firstName = buyer?.split(/[ (]/)[0];
  const parts = [
    `Hello${firstName ? ` ${firstName}` : ''}, thank you for your message!`,
    order?.tracking_text ?? 'We will look into it and write to you again soon.',
  ];
  if (/refund/i.test(question)) parts.push('As an apology we can refund $5.00 of the price at once.');
  return `${parts.join('\n\n')}\n\nKind regards`;
}
