import { DateTime } from 'luxon';
import type { OrderStatus } from '../core/statuses';
import { foldText } from '../core/text/fold';
import { NEW_YORK } from '../core/time';
import { type ShipmentFacts, trackingText } from '../tracking/text/tracking-text';
import { namesOfBuyer } from './buyer-names';

/** The parts of a stored order that replies may mention. Amounts are decimal text. */
export interface StoredOrder {
  receiptId: string;
  status: OrderStatus;
  trackingStatus: string | null;
  saleDate: Date | null;
  shippedIndicator: string | null;
  currency: string | null;
  orderShipping: string | null;
  shippingDiscount: string | null;
  orderSalesTax: string | null;
  vatPaidByBuyer: string | null;
  inpersonDiscount: string | null;
  /** The same amounts as on the order's page and in all sums (docs/orders.md). */
  amounts: { itemsTotal: string | null; discounts: string | null; value: string | null; paid: string | null };
  /** `Name (username)` or a username. */
  buyer: string | null;
  /** The recipient's name. */
  name: string | null;
  firstLine: string | null;
  secondLine: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  countryName: string | null;
  items: readonly StoredItem[];
  shipments: readonly ShipmentFacts[];
}

interface StoredItem {
  title: string | null;
  /** What the buyer chose, including their personalisation text. */
  variations: string | null;
  sku: string | null;
  quantity: number | null;
  price: string | null;
  discountAmount: string | null;
  /** Before the discount. */
  total: string | null;
}

/** The maximum number of items, and of tracking numbers, that are listed. */
const MAX_LISTED_ENTRIES = 50;

/** The facts about an order that the provider receives, without missing values, and without discounts, shipping or taxes of 0. */
export interface OrderFacts {
  order_number: string;
  status: string;
  /** The day of the sale in New York, the time zone of the marketplace's dates, as YYYY-MM-DD. */
  sale_date?: string;
  shipped_on?: string;
  currency?: string;
  shipping?: string;
  shipping_discount?: string;
  sales_tax?: string;
  vat?: string;
  items: Record<string, string | number>[];
  /** Before discounts. */
  items_total?: string;
  item_discounts?: string;
  in_person_discount?: string;
  /** The items' totals less their discounts and the in-person discount, without shipping and taxes. */
  order_value?: string;
  /** The total that the buyer paid. */
  total_paid?: string;
  tracking_numbers: string[];
  tracking_status?: string;
  /** The text of GET /api/v1/tracking-text. */
  tracking_text: string;
  recipient?: Record<string, string>;
}

/** Returns the members that have a value. */
function withoutMissingValues<Value>(
  members: Record<string, Value | null | undefined>,
): Record<string, Value> {
  const presentMembers = Object.entries(members).filter(
    (entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined && entry[1] !== '',
  );
  return Object.fromEntries(presentMembers);
}

const DECIMAL_PLACES = 4;

/** Converts decimal text to ten-thousandths. */
function toTenThousandths(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const absoluteValue = BigInt(whole + fraction.padEnd(DECIMAL_PLACES, '0').slice(0, DECIMAL_PLACES));
  return amount.startsWith('-') ? -absoluteValue : absoluteValue;
}

/** Converts ten-thousandths to decimal text with at least two decimals. */
function decimalText(tenThousandths: bigint): string {
  const isNegative = tenThousandths < 0n;
  const digits = String(isNegative ? -tenThousandths : tenThousandths).padStart(DECIMAL_PLACES + 1, '0');
  const fraction = digits.slice(-DECIMAL_PLACES).replace(/0{1,2}$/, '');
  return `${isNegative ? '-' : ''}${digits.slice(0, -DECIMAL_PLACES)}.${fraction}`;
}

/** Returns an amount as text, or null if it is missing or zero. */
function amountUnlessZero(amount: string | null): string | null {
  return amount === null || toTenThousandths(amount) === 0n ? null : decimalText(toTenThousandths(amount));
}

/** Returns an amount as text, even if it is zero. */
const amountText = (amount: string | null) =>
  amount === null ? null : decimalText(toTenThousandths(amount));

function buildItemFacts(item: StoredItem): Record<string, string | number> {
  return withoutMissingValues<string | number>({
    title: item.title,
    variations: item.variations,
    sku: item.sku,
    quantity: item.quantity,
    price: amountText(item.price),
    discount: amountUnlessZero(item.discountAmount),
    total: amountText(item.total),
  });
}

/** Returns whether `buyerName` is the name of the order's recipient, or the name or username (or both) of its buyer. */
export function isBuyer(order: Pick<StoredOrder, 'name' | 'buyer'>, buyerName: string): boolean {
  const names = namesOfBuyer(order.buyer, order.name).map(foldText);
  const foldedName = foldText(buyerName);
  return foldedName !== '' && names.includes(foldedName);
}

/**
 * Returns the facts about an order that a reply may use.
 *
 * @param includesRecipient false to withhold name and address (docs/replies.md)
 */
export function buildOrderFacts(order: StoredOrder, includesRecipient: boolean, now: number): OrderFacts {
  const { items, shipments, amounts } = order;
  const recipient = withoutMissingValues({
    name: order.name,
    first_line: order.firstLine,
    second_line: order.secondLine,
    city: order.city,
    state: order.state,
    zip: order.zip,
    country: order.countryName,
  });
  return {
    order_number: order.receiptId,
    status: order.status,
    ...withoutMissingValues({
      sale_date: order.saleDate && DateTime.fromJSDate(order.saleDate, { zone: NEW_YORK }).toISODate(),
      // The field may also say just "yes".
      shipped_on: /\d[/.-]\d/.test(order.shippedIndicator ?? '') ? order.shippedIndicator : null,
      currency: order.currency,
      shipping: amountUnlessZero(order.orderShipping),
      shipping_discount: amountUnlessZero(order.shippingDiscount),
      sales_tax: amountUnlessZero(order.orderSalesTax),
      vat: amountUnlessZero(order.vatPaidByBuyer),
    }),
    items: items.slice(0, MAX_LISTED_ENTRIES).map(buildItemFacts),
    ...withoutMissingValues({
      items_total: amountText(amounts.itemsTotal),
      item_discounts: amountUnlessZero(amounts.discounts),
      in_person_discount: amountUnlessZero(order.inpersonDiscount),
      order_value: amountText(amounts.value),
      total_paid: amountText(amounts.paid),
      tracking_status: order.trackingStatus,
    }),
    tracking_numbers: shipments.slice(0, MAX_LISTED_ENTRIES).map((shipment) => shipment.trackingNumber),
    tracking_text: trackingText({
      order: { receiptId: order.receiptId, status: order.status },
      shipments,
      now,
    }),
    ...(includesRecipient && Object.keys(recipient).length > 0 ? { recipient } : {}),
  };
}
