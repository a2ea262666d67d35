import { createPlainTextMap, toPlainText } from '../../core/text/plain-text';
import { truncate } from '../../core/text/text';
import type { OrderFacts } from '../order-facts';
import type { Warning } from '../warning';
import { findAmountWords } from './amount-words';
import { amountKeys, findAmounts } from './amounts';
import { applyFinders, type Claim } from './claim';
import { findDateWords } from './date-words';
import { findDates } from './dates';
import { findLinks } from './links';
import { findNumberKeys, findNumbers, numberKey } from './numbers';
import { findPhones } from './phones';

interface Sources {
  /** The database's facts about the order; null if there is no order. */
  facts: OrderFacts | null;
  /** The shop's prompt, which confirms everything it states. */
  prompt: string;
  /**
   * The messages of the conversation. They confirm only order and tracking numbers, and phone numbers that look like these, so that
   * a buyer cannot make the shop promise an amount or pass on a link.
   */
  messages: readonly string[];
}

/** The maximum number of warnings about one text. */
export const MAX_WARNINGS = 100;
/** The maximum length of a claim in a warning. Longer claims are truncated. */
const MAX_CLAIM_LENGTH = 300;

/** Links come first, because parts of them look like other claims. */
const STATEMENT_FINDERS = [findLinks, findDates, findPhones, findAmounts, findDateWords, findAmountWords];
/** Numbers come last, because dates, amounts and phone numbers look like them. */
export const CLAIM_FINDERS = [...STATEMENT_FINDERS, findNumbers];

const MONEY_FIELDS = new Set(['price', 'discount', 'total']);

/** Fields that the buyer filled in, such as personalisation. They do not speak for the shop. */
const BUYER_FIELDS = new Set(['variations']);

/** Returns a claim's group. Order, tracking and phone numbers can look the same, so they share a group. */
export const groupOf = ({ kind }: Claim) => (kind.endsWith('_number') ? 'number' : kind);

/** Returns a function that returns a claim as written in `text`, for claims that were found in its plain text. */
export function createClaimReader(text: string): (claim: Claim) => string {
  const toRange = createPlainTextMap(text);
  return ({ value, index }) =>
    value === '' ? '' : truncate(text.slice(...toRange(index, index + value.length)), MAX_CLAIM_LENGTH);
}

/** Returns what two claims that cause the same warning have in common. */
export const warningKeyOf = ({ kind, value }: Claim) => `${kind} ${truncate(value, MAX_CLAIM_LENGTH)}`;

/** Collects the keys of everything that is confirmed. */
class ConfirmedKeys {
  readonly #keys = new Set<string>();

  add(kind: string, keys: Iterable<string>): void {
    for (const key of keys) this.#keys.add(`${kind} ${key}`);
  }

  #addClaims(claims: readonly Claim[]): void {
    for (const claim of claims) this.add(groupOf(claim), claim.confirms);
  }

  /** Adds everything that our own text states, except order and tracking numbers, which are added from the facts. */
  addStatements(text: string): void {
    this.#addClaims(applyFinders(text, STATEMENT_FINDERS).claims);
  }

  /** Adds everything that `text` states, and every number in it that may be an order or tracking number. */
  addText(text: string): void {
    this.#addClaims(applyFinders(toPlainText(text), CLAIM_FINDERS).claims);
    this.addNumbers(text);
  }

  /** Adds every number in `text` that may be an order or tracking number, except those in dates and amounts. */
  addNumbers(text: string): void {
    const { rest } = applyFinders(toPlainText(text), [findDates, findAmounts]);
    this.#addClaims(findNumbers(rest).claims);
    this.add('number', findNumberKeys(rest));
  }

  addFacts(facts: OrderFacts): void {
    this.add('number', [`order_number ${numberKey(facts.order_number)}`]);
    this.add(
      'number',
      facts.tracking_numbers.map((number) => `tracking_number ${numberKey(number)}`),
    );
    this.addStatements(facts.tracking_text);
    this.addText([facts.sale_date ?? '', facts.shipped_on ?? ''].join('\n'));
    for (const text of Object.values(facts.recipient ?? {})) this.addNumbers(text);
    const amounts = [facts.shipping, facts.shipping_discount, facts.sales_tax, facts.vat, facts.items_total];
    amounts.push(facts.item_discounts, facts.in_person_discount, facts.order_value, facts.total_paid);
    for (const item of facts.items) {
      for (const [name, value] of Object.entries(item)) {
        if (MONEY_FIELDS.has(name)) amounts.push(String(value));
        else if (BUYER_FIELDS.has(name)) this.addNumbers(String(value));
        else if (typeof value === 'string') this.addText(value);
      }
    }
    for (const amount of amounts) if (amount) this.add('amount', amountKeys(amount, facts.currency));
  }

  has(claim: Claim): boolean {
    return claim.confirmedBy.some((key) => this.#keys.has(`${groupOf(claim)} ${key}`));
  }
}

/**
 * Returns the unconfirmed order numbers, tracking numbers, dates, amounts, links and phone numbers of a reply. Compares them with
 * the database's facts and the prompt; order and tracking numbers, and phone numbers that look like these, also with the
 * conversation. The result is deterministic and has each claim once per kind, at most 100 in all. Takes linear time.
 */
export function checkReply(reply: string, { facts, prompt, messages }: Sources): Warning[] {
  const { claims } = applyFinders(toPlainText(reply), CLAIM_FINDERS);
  if (claims.length === 0) return [];
  const confirmedKeys = new ConfirmedKeys();
  if (facts) confirmedKeys.addFacts(facts);
  confirmedKeys.addText(prompt);
  for (const text of messages) confirmedKeys.addNumbers(text);
  const toWrittenClaim = createClaimReader(reply);
  const warnings = new Map<string, Warning>();
  for (const claim of claims) {
    const key = warningKeyOf(claim);
    if (warnings.has(key) || confirmedKeys.has(claim)) continue;
    warnings.set(key, { kind: claim.kind, value: toWrittenClaim(claim), reason: 'unconfirmed' });
    if (warnings.size === MAX_WARNINGS) break;
  }
  return [...warnings.values()];
}
