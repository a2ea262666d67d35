import { foldText } from '../../../server/core/text/fold';
import type { Turn } from '../turn';

const BUYER_LABELS = ['buyer', 'customer', '买家', '客户', '顾客'];
const SHOP_LABELS = ['shop', 'seller', 'me', '店铺', '卖家', '客服', '我'];

/** A label, an ASCII or full-width colon, and the rest of the line. */
const LABELLED_LINE = /^\s*([^:：]{1,200}?)\s*[:：]\s*(.*)$/su;

/**
 * Reads a pasted conversation. A line that begins with a speaker and a colon (such as "Buyer:", "Shop:", "买家：" or a speaker's
 * name), or consists of a speaker's name, begins a message. Text before the first such line is the buyer's. Empty messages are
 * dropped.
 */
export function readPastedTurns(
  text: string,
  names: { buyer: readonly string[]; shop: readonly string[] },
): Turn[] {
  const buyerNames = new Set(names.buyer.map(foldText));
  const shopNames = new Set(names.shop.map(foldText));
  const labels = {
    buyer: new Set([...BUYER_LABELS, ...buyerNames]),
    shop: new Set([...SHOP_LABELS, ...shopNames]),
  };
  const senderOf = (name: string, namesBySender: { buyer: Set<string>; shop: Set<string> }) =>
    namesBySender.buyer.has(foldText(name))
      ? 'buyer'
      : namesBySender.shop.has(foldText(name))
        ? 'shop'
        : null;
  const turns: Turn[] = [{ sender: 'buyer', content: '' }];
  for (const line of text.split(/\r?\n/)) {
    const [, label = '', rest = ''] = LABELLED_LINE.exec(line) ?? [];
    const labelledSender = senderOf(label, labels);
    const sender = labelledSender ?? senderOf(line, { buyer: buyerNames, shop: shopNames });
    if (sender) turns.push({ sender, content: labelledSender ? rest : '' });
    else turns.at(-1)!.content += `\n${line}`;
  }
  return turns
    .map(({ sender, content }) => ({ sender, content: content.trim() }))
    .filter(({ content }) => content !== '');
}
