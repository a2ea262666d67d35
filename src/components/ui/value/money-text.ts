import { numberFormat } from './formats';

const CURRENCY_CODE = /^[A-Z]{3}$/;

/** The code for no currency. Node and browsers show different signs for it. */
const NO_CURRENCY = 'XXX';

/**
 * Formats an amount in a language. A currency that is not a code, such as a sign from a file, follows the amount unchanged, as does
 * XXX. A decimal string is never converted to a float.
 */
export function moneyText(tag: string, amount: string | number, currency: string | null): string {
  const isCode = currency !== null && currency !== NO_CURRENCY && CURRENCY_CODE.test(currency);
  const options: Intl.NumberFormatOptions = isCode
    ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }
    : { minimumFractionDigits: 2, maximumFractionDigits: 4 };
  const text = numberFormat(tag, options).format(amount as Intl.StringNumericLiteral);
  return currency === null || isCode ? text : `${text} ${currency}`;
}
