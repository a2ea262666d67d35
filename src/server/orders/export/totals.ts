import { isCurrency } from '../../core/money/iso-currencies';
import { EXPORT_COLUMNS, type ExportColumnName } from './columns';

/** Amounts have up to four decimals. */
const SCALE = 10_000n;

function toTenThousandths(amount: string): bigint {
  const [, minus, whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(amount) ?? [];
  const digits = BigInt(whole) * SCALE + BigInt(fraction.padEnd(4, '0'));
  return minus ? -digits : digits;
}

function fromTenThousandths(sum: bigint): string {
  const digits = sum < 0n ? -sum : sum;
  const fraction = String(digits % SCALE)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${digits / SCALE}${fraction ? `.${fraction}` : ''}`;
}

/** The sums of one currency; `currency` is null for orders without a known one. */
export interface Total {
  currency: string | null;
  /** One sum for each column; null for a column without one. */
  sums: (string | null)[];
}

/**
 * Sums the rows of an export exactly, separately for each currency. For orders without a known currency, it sums only counts,
 * not amounts.
 */
export class Totals {
  readonly #columns: readonly ExportColumnName[];
  readonly #sums = new Map<string | null, bigint[]>();

  constructor(columns: readonly ExportColumnName[]) {
    this.#columns = columns;
  }

  add(cells: readonly (string | null)[], currency: string | null): void {
    const knownCurrency = currency !== null && isCurrency(currency) ? currency : null;
    const sums = this.#sums.get(knownCurrency) ?? this.#columns.map(() => 0n);
    this.#sums.set(knownCurrency, sums);
    this.#columns.forEach((name, index) => {
      const cell = cells[index];
      if (EXPORT_COLUMNS[name].isSummed && cell != null) sums[index] = sums[index]! + toTenThousandths(cell);
    });
  }

  /** Returns the totals that have at least one sum, sorted by currency; the total without a currency comes last. */
  read(): Total[] {
    const currencies = [...this.#sums.keys()].sort((a, b) =>
      a === null ? 1 : b === null ? -1 : a.localeCompare(b, 'en'),
    );
    const totals = currencies.map((currency) => ({
      currency,
      sums: this.#columns.map((name, index) => {
        const { isSummed, format } = EXPORT_COLUMNS[name];
        const hasSum = isSummed && (currency !== null || format === 'whole');
        return hasSum ? fromTenThousandths(this.#sums.get(currency)![index]!) : null;
      }),
    }));
    return totals.filter(({ sums }) => sums.some((sum) => sum !== null));
  }
}
