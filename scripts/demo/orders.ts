import { DateTime } from 'luxon';
import { DAY_MS } from '../../src/server/core/days';
import { NEW_YORK } from '../../src/server/core/time';
import { createDemoRecipient, type DemoRecipient } from './people';
import { SeededRandom } from './random';
import { createDemoShipment, type DemoShipment } from './shipments';
import { createDemoShops, type DemoListing, type DemoShop } from './shops';
import { MIN_ORDERS_PER_STORY, STORIES, type Story } from './stories';

const ORDER_COUNT = 1_000;
/** How many days the orders span. */
export const DAY_COUNT = 90;

/** An order and the import rows that create it. */
export interface DemoOrder {
  shop: DemoShop;
  receiptId: string;
  story: Story;
  recipient: DemoRecipient;
  /** The date of the sale in New York, YYYY-MM-DD. */
  day: string;
  items: { listing: DemoListing; quantity: number; total: number }[];
  rows: Record<string, string | number>[];
  shipments: DemoShipment[];
}

const roundToCents = (amount: number) => Math.round(amount * 100) / 100;

function chooseItems(shop: DemoShop, random: SeededRandom): DemoOrder['items'] {
  const itemCount = random.pickWeighted([
    { weight: 7, count: 1 },
    { weight: 2, count: 2 },
    { weight: 1, count: 3 },
  ]).count;
  const firstIndex = random.integer(0, shop.listings.length - 1);
  return Array.from({ length: itemCount }, (_, n) => {
    const listing = shop.listings[(firstIndex + n) % shop.listings.length]!;
    const quantity = random.chance(0.8) ? 1 : random.integer(2, 4);
    return { listing, quantity, total: roundToCents(listing.price * quantity) };
  });
}

/** Chooses a story that fits an order of this age in days, often one that has been used too rarely so far. */
function chooseStory(age: number, countByStory: Map<Story, number>, random: SeededRandom): Story {
  const matchingStories = STORIES.filter(({ minAge, maxAge }) => age >= minAge && age < maxAge);
  const rareStories = matchingStories.filter(
    (story) => (countByStory.get(story) ?? 0) < MIN_ORDERS_PER_STORY,
  );
  const story =
    rareStories.length > 0 && random.chance(0.5)
      ? random.pick(rareStories)
      : random.pickWeighted(matchingStories);
  countByStory.set(story, (countByStory.get(story) ?? 0) + 1);
  return story;
}

function makeRows(order: Omit<DemoOrder, 'rows'>, soldAt: number, random: SeededRandom): DemoOrder['rows'] {
  const { shop, receiptId, story, recipient, items, shipments, day } = order;
  const commonFields = {
    receipt_id: receiptId,
    sold_on: day,
    ...(story.state === 'unpaid' ? {} : { sale_date: new Date(soldAt).toISOString() }),
    ...recipient,
    currency: shop.currency,
    order_shipping: random.pick([0, 3.9, 4.9, 6.5]),
    order_sales_tax: shop.currency === 'USD' ? roundToCents(items[0]!.total * 0.0725) : 0,
    vat_paid_by_buyer: shop.currency === 'USD' ? 0 : roundToCents(items[0]!.total * 0.2),
    order_type: 'online',
    payment_method: 'online_cc',
    ...(random.chance(0.06) ? { note: 'Gift wrap, please' } : {}),
  };
  return items.map(({ listing, quantity, total }, n) => {
    const shipment = shipments[Math.min(n, shipments.length - 1)];
    return {
      ...commonFields,
      transaction_id: `${receiptId}${n + 1}`,
      listing_id: listing.id,
      title: listing.title,
      quantity,
      price: listing.price,
      item_total: total,
      sku: random.pick(listing.skus),
      variations: `Hair:${random.pick(['Brown', 'Blonde', 'Black', 'Red'])},Base:${random.pick(['Yes', 'No'])}`,
      ...(shipment ? { tracking_number: shipment.number, carrier_code: 'yanwen' } : {}),
    };
  });
}

/** Returns the thousand orders of the ninety days before `now`, oldest first; always the same for the same `now`. */
export function createDemoOrders(now: number): DemoOrder[] {
  const random = new SeededRandom(29);
  const shops = createDemoShops();
  const countByStory = new Map<Story, number>();
  return Array.from({ length: ORDER_COUNT }, (_, n) => {
    // Business grows: more orders per day over time.
    const age = DAY_COUNT * (1 - (n + 0.5) / ORDER_COUNT) ** 1.2;
    const soldAt = Math.floor((now - age * DAY_MS) / 60_000) * 60_000;
    const shop = random.pickWeighted(shops);
    const { recipient, carrier } = createDemoRecipient(random);
    const story = chooseStory(age, countByStory, random);
    const items = chooseItems(shop, random);
    const createShipment = (part: number) =>
      createDemoShipment(
        { serial: 40_210_000 + n * 13 + part, story, soldAt, now, recipient, carrier },
        random,
      );
    const shipments = story.subStatus === null ? [] : [createShipment(0)];
    // Some orders are sent in two shipments, both at the same stage.
    if (shipments.length > 0 && items.length > 1 && random.chance(0.15)) shipments.push(createShipment(1));
    const order = {
      ...{ shop, story, recipient, items, shipments },
      receiptId: String(4_165_000_000 + n * 1_117 + random.integer(0, 1_000)),
      day: DateTime.fromMillis(soldAt, { zone: NEW_YORK }).toISODate()!,
    };
    return { ...order, rows: makeRows(order, soldAt, random) };
  });
}
