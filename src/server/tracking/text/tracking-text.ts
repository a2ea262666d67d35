import { DateTime } from 'luxon';
import type { OrderStatus, TrackingStatus } from '../../core/statuses';
import { NEW_YORK } from '../../core/time';
import { carrierName } from '../carriers/carrier-name';
import { EARLIEST_TIME } from '../event-time';
import { isPlaceholder } from './latin-text';
import { phraseOf, withTime } from './phrases';
import { readableLocation } from './place';
import type { Phrase } from './status-words';

/** The facts from which the tracking text is written. Instants are milliseconds since the Unix epoch. */
export interface TrackingTextFacts {
  /** Null for a shipment without an order. */
  order: { receiptId: string; status: OrderStatus } | null;
  /** All shipments of the order, or the requested one. */
  shipments: readonly ShipmentFacts[];
  now: number;
}

export interface ShipmentFacts {
  trackingNumber: string;
  /** Code or name, as stored. */
  carrier: string | null;
  status: TrackingStatus;
  subStatus: string | null;
  since: number | null;
  /** In any order; the text uses the newest one with a location. */
  events: readonly { occurredAt: number; location: string | null }[];
}

const MAX_TEXT_LENGTH = 1_199;

const REFERENCE = /^[A-Za-z0-9](?:[A-Za-z0-9_/-]{0,48}[A-Za-z0-9])?$/;

/** Returns `August 22, 2026, 3:04 PM New York time`, or null for a time that is missing, too old or in the future. */
function newYorkTime(at: number | null, now: number): string | null {
  if (at === null || !(at >= EARLIEST_TIME && at <= now)) return null;
  const time = DateTime.fromMillis(at, { zone: NEW_YORK, locale: 'en-US' });
  return `${time.toFormat('LLLL d, yyyy, h:mm a')} New York time`;
}

const minuteOf = (at: number) => Math.floor(at / 60_000);

/**
 * Returns an order or tracking number if it can be used in a sentence, or null if it would break the sentence or look like a
 * mistake.
 */
function usableReference(text: string): string | null {
  return REFERENCE.test(text) && !isPlaceholder(text) ? text : null;
}

/** A shipment's facts in words. A fact that is unknown or cannot be shown is null. */
interface ShipmentDescription {
  phrase: Phrase;
  number: string | null;
  carrier: string | null;
  since: string | null;
  place: string | null;
}

/**
 * Returns where the shipment was last reported, with the time unless it is the time of the status. A location in another script
 * is omitted rather than replaced by an older one, which the shipment has already left.
 */
function describeLocation(shipment: ShipmentFacts, rule: Phrase['locationRule'], now: number): string | null {
  if (rule === 'never') return null;
  let newestEvent: { occurredAt: number; location: string | null } | null = null;
  for (const event of shipment.events) {
    if (event.location?.trim() && (newestEvent === null || event.occurredAt > newestEvent.occurredAt))
      newestEvent = event;
  }
  if (newestEvent === null) return null;
  const wasReportedWithStatus =
    shipment.since !== null && minuteOf(newestEvent.occurredAt) === minuteOf(shipment.since);
  if (rule === 'with-status' && !wasReportedWithStatus) return null;
  const place = readableLocation(newestEvent.location);
  if (place === null) return null;
  const time = wasReportedWithStatus ? null : newYorkTime(newestEvent.occurredAt, now);
  return time === null ? place : `${place} (${time})`;
}

function describeShipment(shipment: ShipmentFacts, now: number): ShipmentDescription {
  const phrase = phraseOf(shipment.status, shipment.subStatus);
  return {
    phrase,
    number: usableReference(shipment.trackingNumber),
    carrier: carrierName(shipment.carrier),
    since: newYorkTime(shipment.since, now),
    place: describeLocation(shipment, phrase.locationRule, now),
  };
}

/** Joins the words that are not null with spaces, and ends with a single full stop. */
function sentence(...words: (string | null)[]): string {
  return words
    .filter((word) => word !== null)
    .join(' ')
    .replace(/\.?$/, '.');
}

const withPrefix = (prefix: string, word: string | null) => (word === null ? null : `${prefix} ${word}`);

const CANCELED_NEXT_STEPS =
  'Please write to us with any questions about it, and we will find a solution together.';

function oneShipmentText(subject: string, facts: TrackingTextFacts, shipment: ShipmentDescription): string {
  const { phrase, since } = shipment;
  const details = [
    withPrefix('with', shipment.carrier),
    withPrefix('under tracking number', shipment.number),
  ];
  const isCanceled = facts.order?.status === 'cancelled';
  const opening = isCanceled
    ? sentence(`Your ${subject} has been canceled, but a parcel had been registered for it`, ...details)
    : facts.order
      ? sentence(`We have ${phrase.isSent ? 'sent' : 'registered'} your ${subject}`, ...details)
      : sentence(
          'Here is the latest on your parcel',
          withPrefix('with tracking number', shipment.number),
          withPrefix('and carrier', shipment.carrier),
        );
  return [
    opening,
    withTime(phrase.state, since),
    ...(shipment.place === null ? [] : [sentence('Last place reported:', shipment.place)]),
    isCanceled ? CANCELED_NEXT_STEPS : phrase.nextSteps,
  ].join(' ');
}

function severalShipmentsNextSteps(facts: TrackingTextFacts): string {
  if (facts.order?.status === 'cancelled') return CANCELED_NEXT_STEPS.replace('about it', 'about them');
  const statuses = facts.shipments.map((shipment) => shipment.status);
  if (statuses.every((status) => status === 'delivered')) {
    return 'We hope that you enjoy your order! If anything is missing, please write to us, and we will help you.';
  }
  if (statuses.some((status) => status === 'exception' || status === 'delivery_failure')) {
    return 'If a parcel has run into difficulties, please write to us, so that we can find a solution together; the others continue on their way.';
  }
  return 'The parcels travel separately and may arrive on different days. We are keeping an eye on them, and you are welcome to write to us at any time.';
}

function shipmentLine(shipment: ShipmentDescription, position: number): string {
  const details = [shipment.carrier, withPrefix('tracking number', shipment.number)].filter(
    (word) => word !== null,
  );
  const label = details.length > 0 ? `Parcel ${position} (${details.join(', ')}):` : `Parcel ${position}:`;
  const line = sentence(label, withTime(shipment.phrase.brief, shipment.since));
  return shipment.place === null ? line : `${line} ${sentence('Last place reported:', shipment.place)}`;
}

/** Lists as many shipments as fit, one per line, and counts the rest. */
function severalShipmentsText(subject: string, facts: TrackingTextFacts): string {
  const count = facts.shipments.length;
  const opening =
    facts.order?.status === 'cancelled'
      ? `Your ${subject} has been canceled, but ${count} parcels had been registered for it.`
      : `Your ${subject} is made up of ${count} parcels.`;
  const nextSteps = severalShipmentsNextSteps(facts);
  const otherParcelsText = (otherCount: number) =>
    otherCount === 1
      ? 'We will gladly tell you about the other parcel as well.'
      : `We will gladly tell you about the other ${otherCount} parcels as well.`;
  const lines: string[] = [];
  let remainingLength =
    MAX_TEXT_LENGTH - opening.length - nextSteps.length - otherParcelsText(count).length - 3;
  for (const shipment of facts.shipments) {
    const line = shipmentLine(describeShipment(shipment, facts.now), lines.length + 1);
    remainingLength -= line.length + 1;
    if (remainingLength < 0) break;
    lines.push(line);
  }
  const unlistedCount = count - lines.length;
  return [opening, ...lines, ...(unlistedCount > 0 ? [otherParcelsText(unlistedCount)] : []), nextSteps].join(
    '\n',
  );
}

function noShipmentText(subject: string, facts: TrackingTextFacts): string {
  switch (facts.order?.status) {
    case 'pending':
      return `Thank you for your ${subject}. It has not been shipped yet, as its payment is still being confirmed. Once the payment is confirmed, we will prepare your parcel and send you a tracking number when it is on its way.`;
    case 'paid':
      return `Thank you for your ${subject}. It is paid and has not been shipped yet: we are preparing it. Once the carrier has your parcel, we will send you a tracking number with which you can follow it.`;
    case 'shipped':
      return `We have shipped your ${subject}. There is no tracking number for it in our records, so we cannot tell you where your parcel is. If it does not reach you, please write to us, and we will look into it.`;
    case 'delivered':
      return `Our records show your ${subject} as delivered. There is no tracking number for it, so we cannot tell you more about its journey. If it has not reached you, please write to us, and we will help you.`;
    case 'cancelled':
      return `Your ${subject} has been canceled and will not be shipped. If you did not expect this, or if you have any questions about it, please write to us, and we will gladly help.`;
    default:
      return 'We do not have any information about this parcel. Please send us the number of your order, and we will look into it.';
  }
}

/**
 * Returns an English text about the shipments of an order, or about one shipment, that a seller can paste into a message to the
 * buyer: order, carrier, latest location and status with its time, and what comes next.
 *
 * Whatever the carrier wrote, the text has only Latin letters, ends with a full stop, has fewer than 1,200 characters, never
 * describes a future time as past and promises no time. Its dates are full and never "today", so they stay right however long the
 * seller waits before pasting the text.
 */
export function trackingText(facts: TrackingTextFacts): string {
  const reference = facts.order && usableReference(facts.order.receiptId);
  const subject = reference ? `order ${reference}` : facts.order ? 'order' : 'shipment';
  const [firstShipment, secondShipment] = facts.shipments;
  if (!firstShipment) return noShipmentText(subject, facts);
  return secondShipment
    ? severalShipmentsText(subject, facts)
    : oneShipmentText(subject, facts, describeShipment(firstShipment, facts.now));
}
