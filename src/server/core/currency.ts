/**
 * The currencies of ISO 4217 that money is paid in, and those that left it since 2023 (BGN, HRK), which older orders name.
 * Funds, metals and test codes are no money that a shop takes.
 */
export const CURRENCIES =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'.split(
    ' ',
  );

const KNOWN: ReadonlySet<string> = new Set(CURRENCIES);

/** Whether a text is a currency's code as ISO 4217 writes it. */
export function isCurrency(text: string): boolean {
  return KNOWN.has(text);
}

/** SQL for a column's currency where it holds a known code, else null: amounts without one are in no sum. */
export const knownCurrency = (column: string): string =>
  `CASE WHEN ${column} = ANY('{${CURRENCIES.join(',')}}'::text[]) THEN ${column} END`;

/** Signs that mean exactly one currency. `$`, `¥` and `kr` are those of several. */
const SIGNS: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  US$: 'USD',
  U$S: 'USD',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  CDN$: 'CAD',
  HK$: 'HKD',
  NZ$: 'NZD',
  MX$: 'MXN',
  NT$: 'TWD',
  S$: 'SGD',
  SG$: 'SGD',
  R$: 'BRL',
  'CN¥': 'CNY',
  'JP¥': 'JPY',
  円: 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₪': 'ILS',
  '₫': 'VND',
  '₱': 'PHP',
  '₺': 'TRY',
  '₴': 'UAH',
  '₽': 'RUB',
  '฿': 'THB',
  zł: 'PLN',
  Kč: 'CZK',
  RMB: 'CNY',
};

/** Names that people write and that the languages' own lists of names lack. */
const MORE_NAMES: Record<string, string> = {
  euros: 'EUR',
  'pound sterling': 'GBP',
  'pounds sterling': 'GBP',
  sterling: 'GBP',
  'us dollars': 'USD',
  'u.s. dollar': 'USD',
  'united states dollar': 'USD',
  renminbi: 'CNY',
  yuan: 'CNY',
};

const fold = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

/** Signs and names, folded. A name that two currencies share means none of them. */
function knownTexts(): Map<string, string> {
  const known = new Map<string, string>();
  const shared = new Set<string>();
  for (const language of ['en', 'zh-CN']) {
    const names = new Intl.DisplayNames(language, { type: 'currency', fallback: 'none' });
    for (const code of CURRENCIES) {
      const name = fold(names.of(code) ?? '');
      if (name === '') continue;
      if ((known.get(name) ?? code) !== code) shared.add(name);
      known.set(name, code);
    }
  }
  for (const name of shared) known.delete(name);
  for (const [text, code] of [...Object.entries(SIGNS), ...Object.entries(MORE_NAMES)])
    known.set(fold(text), code);
  return known;
}

let knownText: Map<string, string> | undefined;

/**
 * The ISO 4217 code that a text means: a code in any case, or a sign or name (English or Chinese) of exactly one currency.
 *
 * @returns null for anything else, such as `$`, which is the sign of many
 */
export function currencyCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (isCurrency(code)) return code;
  knownText ??= knownTexts();
  return knownText.get(fold(text)) ?? null;
}
