import { foldText } from '../text/fold';
import { CURRENCIES, isCurrency } from './iso-currencies';

/** The currencies of signs that mean exactly one; `$`, `¥` and `kr` mean several. */
const CODE_BY_SIGN: Record<string, string> = {
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

/** The currencies of common names that Intl does not list. */
const CODE_BY_NAME: Record<string, string> = {
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

/** Returns the currency codes by folded sign or name. Leaves out names in Intl that two currencies share. */
function collectCodes(): Map<string, string> {
  const codeByFoldedText = new Map<string, string>();
  const sharedNames = new Set<string>();
  for (const language of ['en', 'zh-CN']) {
    const displayNames = new Intl.DisplayNames(language, { type: 'currency', fallback: 'none' });
    for (const code of CURRENCIES) {
      const name = foldText(displayNames.of(code) ?? '');
      if (name === '') continue;
      if ((codeByFoldedText.get(name) ?? code) !== code) sharedNames.add(name);
      codeByFoldedText.set(name, code);
    }
  }
  for (const name of sharedNames) codeByFoldedText.delete(name);
  for (const [text, code] of [...Object.entries(CODE_BY_SIGN), ...Object.entries(CODE_BY_NAME)])
    codeByFoldedText.set(foldText(text), code);
  return codeByFoldedText;
}

let cachedCodes: Map<string, string> | undefined;

/**
 * Returns the ISO 4217 code that a string means: a code in upper or lower case, or a sign or name (English or Chinese) of
 * exactly one currency.
 *
 * @returns null for anything else, such as `$`, which stands for many currencies
 */
export function findCurrencyCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (isCurrency(code)) return code;
  cachedCodes ??= collectCodes();
  return cachedCodes.get(foldText(text)) ?? null;
}
