import { decodeHTMLStrict } from 'entities';
import { createReason, type Reason } from '../errors/reason';

/** Returns why PostgreSQL cannot store a string (it contains U+0000 or a lone surrogate); null if it can. */
export function unstorableReason(text: string): Reason | null {
  if (text.includes('\u0000')) return createReason('text.zero');
  if (!text.isWellFormed()) return createReason('text.surrogate');
  return null;
}

/**
 * Returns whether a text has more than `max` characters. They are counted as in schemas and in PostgreSQL: an emoji is one, though
 * its `length` is two. Takes no longer for very long texts.
 */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max || text.length > 2 * max) return text.length > max;
  let count = 0;
  for (const _ of text) count++;
  return count > max;
}

/** Decodes HTML entities once, and only those that end with a semicolon, so that `?a=1&copy=2` stays unchanged. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}

/** Shortens text from any source for use in a message, and makes it storable. */
export function displayText(text: string, max = 40): string {
  return truncate(text, max).toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** Cuts the text to `max` characters, ending in an ellipsis if anything was cut. Never cuts a surrogate pair in half. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Returns the form in which tracking numbers are stored and compared: upper case, without spaces (docs/tracking.md). */
export function normaliseTrackingNumber(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase();
}
