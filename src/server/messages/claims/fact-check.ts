import { abridge } from '../../core/text';
import type { OrderFacts } from '../order-facts';
import type { Warning } from '../schema';
import { amountGives, findAmounts } from './amounts';
import { type Claim, findEach, plainText } from './claim';
import { findDates } from './dates';
import { findLinks } from './links';
import { findNumbers, numberKey, numbersGiven } from './numbers';

interface Sources {
  /** What the database says of the order; null where there is none. */
  facts: OrderFacts | null;
  /** The shop's prompt and every message of the conversation. */
  texts: readonly string[];
}

const MAX_WARNINGS = 100;
const MAX_VALUE = 300;

const WORDS: Record<Claim['kind'], string> = {
  order_number: 'order number',
  tracking_number: 'tracking number',
  date: 'date',
  amount: 'amount',
  link: 'link',
  buyer_name: 'name',
};

/** Links first, as their parts look like all the others; numbers last, as dates and amounts look like them. */
const STATEMENTS = [findLinks, findDates, findAmounts];
const FINDERS = [...STATEMENTS, findNumbers];

const MONEY = new Set(['price', 'discount', 'total']);

/** Order and tracking numbers look the same, so they are kept together. */
const groupOf = ({ kind }: Claim) => (kind.endsWith('_number') ? 'number' : kind);

/** The keys under which everything that is confirmed can be asked for. */
class Confirmed {
  readonly #keys = new Set<string>();

  add(kind: string, keys: Iterable<string>): void {
    for (const key of keys) this.#keys.add(`${kind} ${key}`);
  }

  #addClaims(claims: readonly Claim[]): void {
    for (const claim of claims) this.add(groupOf(claim), claim.gives);
  }

  /** Dates, amounts and links of a text of ours, whose numbers are known better. */
  addStatements(text: string): void {
    this.#addClaims(findEach(text, STATEMENTS).claims);
  }

  /** All that a text states, and every number in it that is no part of a date or an amount. */
  addText(text: string): void {
    const plain = plainText(text);
    this.#addClaims(findEach(plain, FINDERS).claims);
    this.add('number', numbersGiven(findEach(plain, [findDates, findAmounts]).rest));
  }

  addFacts(facts: OrderFacts): void {
    this.add('number', [`order_number ${numberKey(facts.order_number)}`]);
    this.add(
      'number',
      facts.tracking_numbers.map((number) => `tracking_number ${numberKey(number)}`),
    );
    this.addStatements(facts.tracking_text);
    this.addText([facts.sale_date ?? '', facts.shipped_on ?? ''].join('\n'));
    for (const text of Object.values(facts.recipient ?? {})) this.addText(text);
    const money = [facts.shipping, facts.shipping_discount, facts.sales_tax, facts.vat, facts.items_total];
    money.push(facts.item_discounts, facts.in_person_discount, facts.order_value, facts.total_paid);
    for (const item of facts.items) {
      for (const [name, value] of Object.entries(item)) {
        if (MONEY.has(name)) money.push(String(value));
        else if (typeof value === 'string') this.addText(value);
      }
    }
    for (const amount of money) if (amount) this.add('amount', amountGives(amount, facts.currency));
  }

  has(claim: Claim): boolean {
    return claim.asks.some((key) => this.#keys.has(`${groupOf(claim)} ${key}`));
  }
}

/**
 * What a reply states that nothing confirms: its order numbers, tracking numbers, dates, amounts and links, compared with the
 * database's facts, the prompt and the conversation (decisions.md, "Buyer messages"). The same input always gets the same
 * answer; each unconfirmed thing is named once, in the order of the kinds.
 */
export function checkReply(reply: string, { facts, texts }: Sources): Warning[] {
  const { claims } = findEach(plainText(reply), FINDERS);
  if (claims.length === 0) return [];
  const confirmed = new Confirmed();
  if (facts) confirmed.addFacts(facts);
  for (const text of texts) confirmed.addText(text);
  const warnings = new Map<string, Warning>();
  for (const claim of claims) {
    if (confirmed.has(claim)) continue;
    const value = abridge(claim.value, MAX_VALUE);
    warnings.set(`${claim.kind} ${value}`, {
      kind: claim.kind,
      value,
      message: `Neither the database nor the prompt nor the conversation confirms this ${WORDS[claim.kind]}. Check it before you send the reply.`,
    });
  }
  return [...warnings.values()].slice(0, MAX_WARNINGS);
}
