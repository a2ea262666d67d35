import type { SeededRandom } from './random';

/** The buyer's columns of an order row. */
export interface DemoRecipient {
  buyer: string;
  name: string;
  first_line: string;
  city: string;
  state: string;
  zip: string;
  country_name: string;
}

/** A destination country and its last-mile carrier. */
interface Destination {
  country: string;
  carrier: string;
  weight: number;
  /** City, state, postal code. */
  places: [string, string, string][];
}

const DESTINATIONS: readonly Destination[] = [
  {
    ...{ country: 'United States', carrier: 'USPS', weight: 40 },
    places: [
      ['Carrollton', 'TX', '75006'],
      ['Boston', 'MA', '02108'],
      ['Portland', 'OR', '97205'],
      ['Madison', 'WI', '53703'],
    ],
  },
  {
    ...{ country: 'United Kingdom', carrier: 'Royal Mail', weight: 18 },
    places: [
      ['Leeds', 'West Yorkshire', 'LS1 4AP'],
      ['Bristol', 'Bristol', 'BS1 5TR'],
    ],
  },
  {
    ...{ country: 'Germany', carrier: 'DHL', weight: 13 },
    places: [
      ['Leipzig', 'Sachsen', '04109'],
      ['Freiburg', 'Baden-Württemberg', '79098'],
    ],
  },
  { country: 'Canada', carrier: 'Canada Post', weight: 8, places: [['Halifax', 'NS', 'B3H 1W5']] },
  { country: 'France', carrier: 'La Poste', weight: 7, places: [['Nantes', 'Loire-Atlantique', '44000']] },
  { country: 'Australia', carrier: 'Australia Post', weight: 6, places: [['Hobart', 'TAS', '7000']] },
  { country: 'Netherlands', carrier: 'PostNL', weight: 4, places: [['Utrecht', 'Utrecht', '3511 AA']] },
  { country: 'Japan', carrier: 'Japan Post', weight: 2, places: [['Nagoya', 'Aichi', '450-0002']] },
  { country: 'Spain', carrier: 'Correos', weight: 2, places: [['Valencia', 'Valencia', '46002']] },
];

const GIVEN_NAMES = [
  'Ada',
  'Ben',
  'Chloe',
  'Dario',
  'Emma',
  'Finn',
  'Greta',
  'Hugo',
  'Iris',
  'Jonas',
  'Kira',
  'Liam',
];
const FAMILY_NAMES = ['Proxy', 'Sample', 'Mockford', 'Testa', 'Beispiel', 'Nobody', 'Placeholder', 'Fields'];
const STREETS = ['Nowhere Blvd', 'Example Street', 'Sample Lane', 'Invented Road'];

/** Returns a made-up buyer at a made-up address, and the last-mile carrier. */
export function createDemoRecipient(random: SeededRandom): { recipient: DemoRecipient; carrier: string } {
  const { country, carrier, places } = random.pickWeighted(DESTINATIONS);
  const [city, state, zip] = random.pick(places);
  const name = `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES)}`;
  const userName = `${name.split(' ')[0]!.toLowerCase()}${random.integer(100, 999)}`;
  return {
    carrier,
    recipient: {
      ...{ buyer: `${name} (${userName})`, name, city, state, zip, country_name: country },
      first_line: `${random.integer(1, 9_800)} ${random.pick(STREETS)}`,
    },
  };
}
