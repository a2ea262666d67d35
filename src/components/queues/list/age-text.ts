import { numberFormat } from '../../ui/value/formats';

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;
const MINUTE_IN_HOURS = 1 / 60;

/**
 * Formats an age in minutes, in hours (up to two days) or in days.
 * @returns null for less than a minute, which callers show as "just now"
 */
export function ageText(ms: number, tag: string): string | null {
  const hours = ms / HOUR_MS;
  if (hours < MINUTE_IN_HOURS) return null;
  const [unit, value] =
    hours < 1
      ? (['minute', hours * 60] as const)
      : hours < 2 * HOURS_PER_DAY
        ? (['hour', hours] as const)
        : (['day', hours / HOURS_PER_DAY] as const);
  return numberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow' }).format(Math.floor(value));
}
