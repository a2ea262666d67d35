import { hasWord, latinParts } from '../text/latin-text';

const MAX_NAME_LENGTH = 40;

/**
 * Carriers' names as buyers know them, each with the folded codes, separated by spaces, that shops, imports and aggregators use for
 * the carrier.
 */
const CODES_BY_NAME: Record<string, string> = {
  'Amazon Logistics': 'amazon amazonlogistics amzl',
  'An Post': 'anpost',
  Aramex: 'aramex',
  'Australia Post': 'australiapost auspost',
  'Austrian Post': 'austrianpost postat',
  Bpost: 'bpost',
  Cainiao: 'cainiao aliexpressstandard',
  'Canada Post': 'canadapost postescanada',
  'China EMS': 'chinaems ems',
  'China Post': 'chinapost epacket',
  'CNE Express': 'cne cneexpress',
  Colissimo: 'colissimo',
  Correos: 'correos correosspain',
  'Deutsche Post': 'deutschepost',
  DHL: 'dhl dhlpaket dhlparcel dhlgermany',
  'DHL eCommerce': 'dhlecommerce dhlglobalmail',
  'DHL Express': 'dhlexpress',
  DPD: 'dpd dpduk dpdlocal',
  Evri: 'evri hermes hermesuk myhermes',
  FedEx: 'fedex federalexpress',
  '4PX': '4px fourpx',
  GLS: 'gls',
  'Hongkong Post': 'hongkongpost hkpost',
  'Japan Post': 'japanpost',
  'Korea Post': 'koreapost',
  'La Poste': 'laposte',
  'New Zealand Post': 'newzealandpost nzpost',
  OnTrac: 'ontrac lasership',
  Parcelforce: 'parcelforce',
  'Poste Italiane': 'posteitaliane',
  PostNL: 'postnl',
  PostNord: 'postnord',
  'Royal Mail': 'royalmail',
  'SF Express': 'sf sfexpress shunfeng',
  'Singapore Post': 'singpost singaporepost',
  Sunyou: 'sunyou',
  'Swiss Post': 'swisspost',
  TNT: 'tnt',
  UBI: 'ubi ubismartparcel',
  UniUni: 'uniuni',
  UPS: 'ups unitedparcelservice',
  USPS: 'usps uspostalservice unitedstatespostalservice',
  'Wanb Express': 'wanb wanbexpress',
  Winit: 'winit',
  Yanwen: 'yanwen yanwenexpress yw yw56',
  YunExpress: 'yunexpress yuntu',
};

const NAME_BY_CODE = new Map(
  Object.entries(CODES_BY_NAME).flatMap(([name, codes]) =>
    codes.split(' ').map((code) => [code, name] as const),
  ),
);

/** Codes of services that track shipments but do not carry them, and codes that name no carrier. */
const NON_CARRIER_CODES = new Set(['17track', 'other', 'auto', 'carrier', 'manual']);

/**
 * Returns the carrier's name as a buyer knows it, for a code in any spelling (`yanwen`, `royal-mail`, `Royal Mail`). Returns the
 * Latin parts of an unknown code, or null if they contain no word or are very long. Returns null for a code that names an
 * aggregator or no carrier (`other`).
 */
export function carrierName(code: string | null): string | null {
  if (!code) return null;
  const readableText = latinParts(code).join(' ');
  const foldedCode = readableText.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (NON_CARRIER_CODES.has(foldedCode)) return null;
  const name = NAME_BY_CODE.get(foldedCode);
  if (name) return name;
  return readableText.length <= MAX_NAME_LENGTH && hasWord(readableText) ? readableText : null;
}
