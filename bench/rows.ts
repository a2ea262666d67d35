/** A row as a shop's tool sends it: keyed by field name, with about 25 fields filled. */
export type BenchRow = Record<string, string | number | null>;

/** Items per order, in rotation: 2.5 on average, so 10,000 rows make 4,000 orders. */
const ITEM_COUNTS = [1, 2, 3, 4] as const;
export const ROWS_PER_ORDER = 2.5;

const MOTIFS = ['Fox', 'Whale', 'Moon', 'Teapot', 'Otter', 'Fern', 'Heron', 'Lantern'];
const GIVEN_NAMES = ['Sable', 'Yarrow', 'Dara', 'Corin', 'Emlyn', 'Lorne', 'Piran', 'Nell', 'Zoë', 'Łukasz'];
const SURNAMES = ['Proxy', 'Examplar', 'Imagin', 'Mockridge', 'Testwood', 'Nullman', "O'Mock", 'Müller'];
const STREETS = ['Nowhere Blvd', 'Placeholder Road', 'Fictional Street', 'Imaginary Dr', 'Invented Lane'];
const CITIES = [
  'CARROLLTON',
  'La Vergne',
  'Minnetonka',
  'Yorktown Heights',
  'Newfields',
  'Hatboro',
  'Holdrege',
];
const STATES = ['TX', 'TN', 'MN', 'NY', 'NH', 'PA', 'NE'];
const COUNTRIES = ['United States', 'United States', 'United States', 'Canada', 'United Kingdom', 'Germany'];
const VARIATIONS = [null, 'Size:A3,Finish:Matte', 'Colour:Forest green', null];

/** Creates a seeded random number generator (mulberry32), so that every run sends the same rows. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const padToTwoDigits = (value: number) => String(value).padStart(2, '0');

/** Returns `count` rows with order numbers that no other `batch` has. */
export function makeRows(count: number, batch: number): BenchRow[] {
  const randomBelow = createRandom(batch + 1);
  const pick = <T>(choices: readonly T[]): T => choices[randomBelow(choices.length)]!;
  const rows: BenchRow[] = [];
  for (let orderIndex = 0; rows.length < count; orderIndex++) {
    const day = `${padToTwoDigits(1 + randomBelow(12))}/${padToTwoDigits(1 + randomBelow(28))}/2026`;
    const name = `${pick(GIVEN_NAMES)} ${pick(SURNAMES)}`;
    const orderFields: BenchRow = {
      receipt_id: String(4_000_000_000 + batch * 1_000_000 + orderIndex),
      sold_on: day,
      sale_date:
        randomBelow(2) === 0 ? day : `${day} ${1 + randomBelow(12)}:${padToTwoDigits(randomBelow(60))} PM`,
      buyer: `${name} (${randomBelow(2 ** 32).toString(36)})`,
      currency: 'USD',
      name,
      first_line: `${1 + randomBelow(9999)} ${pick(STREETS)}`,
      second_line: randomBelow(4) === 0 ? `Apt ${1 + randomBelow(99)}` : '',
      city: pick(CITIES),
      state: pick(STATES),
      zip: String(randomBelow(100_000)).padStart(5, '0'),
      country_name: pick(COUNTRIES),
      order_type: 'online',
      payment_method: 'online_cc',
      shipped_indicator: randomBelow(3) === 0 ? day : null,
    };
    for (
      let remainingItemCount = ITEM_COUNTS[orderIndex % 4]!, isFirst = true;
      remainingItemCount > 0 && rows.length < count;
      remainingItemCount--
    ) {
      const quantity = 1 + randomBelow(3);
      const cents = 99 + randomBelow(4_000);
      rows.push({
        ...orderFields,
        order_shipping: isFirst ? 5 : 0,
        order_sales_tax: isFirst ? randomBelow(300) / 100 : 0,
        transaction_id: String(5_000_000_000 + batch * 10_000_000 + rows.length),
        listing_id: String(1_000_000_000 + randomBelow(3_000)),
        title: `${pick(MOTIFS)} Sticker, Waterproof Vinyl, Laptop Decal, Water Bottle Sticker ${1 + randomBelow(40)}`,
        quantity,
        price: cents / 100,
        discount_amount: 0,
        item_total: (cents * quantity) / 100,
        variations: pick(VARIATIONS),
        listing_type: 'listing',
        sku: `STK-${padToTwoDigits(randomBelow(100))}-${randomBelow(40)}`,
      });
      isFirst = false;
    }
  }
  return rows;
}
