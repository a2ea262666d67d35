import { decodeHTMLStrict } from 'entities';
import { because, type Reason } from './reason';

/** Why a text cannot be stored, or null where it can: PostgreSQL holds neither U+0000 nor half a surrogate pair. */
export function unstorable(text: string): Reason | null {
  if (text.includes('\u0000')) return because('text.zero');
  if (!text.isWellFormed()) return because('text.surrogate');
  return null;
}

/** Decodes HTML entities once; only those that end with a semicolon, so that `?a=1&copy=2` stays as it is. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}

/** A name as a message may show it, abridged: storable, whatever was sent. */
export function showable(name: string, max = 40): string {
  return abridge(name, max).toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** The text cut to `max` characters, with an ellipsis where something was cut; never inside a surrogate pair. */
export function abridge(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The form in which waybill numbers are stored and compared: without spaces, in capitals (docs/orders.md). */
export function normaliseTrackingNumber(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase();
}
