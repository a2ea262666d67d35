const CODE = /^[A-Z]{3}$/;

/**
 * An amount as the language writes it. What a file has in place of a currency's code, such as a lone sign, follows the amount as
 * it is. A decimal text stays exact.
 */
export function moneyText(tag: string, amount: string | number, currency: string | null): string {
  const isCode = currency !== null && CODE.test(currency);
  const style: Intl.NumberFormatOptions = isCode
    ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }
    : { minimumFractionDigits: 2, maximumFractionDigits: 4 };
  const text = new Intl.NumberFormat(tag, style).format(amount as Intl.StringNumericLiteral);
  return currency === null || isCode ? text : `${text} ${currency}`;
}
