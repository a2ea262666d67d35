import { SeededRandom } from './random';

/** A shop of the demo and what it sells. */
export interface DemoShop {
  name: string;
  marketplaceShopId: string;
  currency: string;
  /** Its share of the orders, relative to the weights of the other shops. */
  weight: number;
  listings: DemoListing[];
}

export interface DemoListing {
  id: string;
  title: string;
  price: number;
  skus: string[];
}

interface DemoProduct {
  category: string;
  code: string;
  name: string;
}

const PARTS: Record<string, { prefix: string; noun: string; kinds: string[] }> = {
  head: { prefix: 'HD', noun: 'Head', kinds: ['Smiling', 'Winking', 'Freckled', 'Bearded', 'Robot', 'Fox'] },
  body: { prefix: 'BD', noun: 'Torso', kinds: ['Striped', 'Jacket', 'Overall', 'Knight', 'Chef', 'Sweater'] },
  hair: { prefix: 'HR', noun: 'Hair', kinds: ['Short', 'Wavy', 'Ponytail', 'Bob', 'Curly', 'Cap'] },
  leg: { prefix: 'LG', noun: 'Legs', kinds: ['Plain', 'Skirt', 'Shorts', 'Striped', 'Boots', 'Short'] },
  brick: { prefix: 'BR', noun: 'Brick', kinds: ['2x4', '2x2', '1x2 Plate', 'Arch', 'Slope', 'Name'] },
};
const COLOURS = ['Red', 'Blue', 'Sand', 'Dark Green'];

/** Twenty-four products in each of the five categories. */
export const PRODUCTS: readonly DemoProduct[] = Object.entries(PARTS).flatMap(
  ([category, { prefix, noun, kinds }]) =>
    kinds
      .flatMap((kind) => COLOURS.map((colour) => `${kind} ${noun}, ${colour}`))
      .map((name, n) => ({ category, code: `${prefix}-${String(n + 1).padStart(3, '0')}`, name })),
);

const LISTING_TITLES = [
  'Custom Minifigure of You',
  'Minifigure Family Portrait in a Frame',
  'Wedding Couple Cake Topper',
  'Graduation Minifigure with Name Brick',
  'Pet and Owner Minifigure Set',
  'Personalized Name Brick Keychain',
  'Replacement Head with Your Photo',
  'Birthday Minifigure Gift Box',
];

function createListings(shopIndex: number, random: SeededRandom): DemoListing[] {
  return LISTING_TITLES.map((title, n) => ({
    id: String(1_089_350_000 + shopIndex * 1_000 + n * 37),
    title,
    price: random.integer(9, 58) + 0.9,
    skus: Array.from({ length: 4 }, () => random.pick(PRODUCTS).code),
  }));
}

const SHOPS = [
  { name: 'Brick Portraits', marketplaceShopId: 'brick-portraits', currency: 'USD', weight: 5 },
  { name: 'Fox and Bricks UK', marketplaceShopId: 'fox-and-bricks-uk', currency: 'GBP', weight: 3 },
  { name: 'Steinchen Atelier', marketplaceShopId: 'steinchen-atelier', currency: 'EUR', weight: 2 },
];

/** Returns the three shops, which are always the same. */
export function createDemoShops(): DemoShop[] {
  const random = new SeededRandom(11);
  return SHOPS.map((shop, n) => ({ ...shop, listings: createListings(n, random) }));
}
