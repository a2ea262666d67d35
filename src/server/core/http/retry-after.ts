/** Returns the milliseconds that a Retry-After header asks to wait, in seconds or as an HTTP date; null if there is none that can be read. */
export function readRetryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text) * 1000;
  // Date.parse reads other numbers as years.
  const retryAt = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(retryAt) ? null : Math.max(0, retryAt - Date.now());
}
