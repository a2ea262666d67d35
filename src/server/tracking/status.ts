/** The tracking statuses, in the order of their rank (docs/tracking.md, "How observations become a status"). */
export const TRACKING_STATUSES = [
  'not_found',
  'expired',
  'info_received',
  'in_transit',
  'available_for_pickup',
  'out_for_delivery',
  'delivery_failure',
  'exception',
  'delivered',
] as const;

export type TrackingStatus = (typeof TRACKING_STATUSES)[number];

const RANK = new Map<TrackingStatus, number>(TRACKING_STATUSES.map((status, rank) => [status, rank]));

/** What was observed of a waybill at one time. */
export interface Observed {
  kind: 'event' | 'snapshot' | 'correction';
  /** Milliseconds of the Unix epoch. */
  occurredAt: number;
  /** Null where the provider's word means nothing to us: stored, and no observation. */
  status: TrackingStatus | null;
  subStatus: string | null;
  /** Hexadecimal; decides between observations that are otherwise equal. */
  identity: string;
}

/** The status of a waybill, and since when. */
export interface WaybillStatus {
  status: TrackingStatus;
  subStatus: string | null;
  since: number | null;
}

const UNKNOWN: WaybillStatus = { status: 'not_found', subStatus: null, since: null };

/** Sub-statuses with which a delivered parcel is on its way back. */
const RETURNS = new Set(['Exception_Returning', 'Exception_Returned']);

/** Statuses that say that nothing is known: they never overwrite what is. */
function saysNothing(status: TrackingStatus): boolean {
  return status === 'not_found' || status === 'expired';
}

function replaces(current: WaybillStatus, next: Observed & { status: TrackingStatus }): boolean {
  if (next.kind === 'correction') return true;
  if (saysNothing(next.status)) return saysNothing(current.status);
  if (current.status !== 'delivered') return true;
  return next.status === 'delivered' || (next.status === 'exception' && RETURNS.has(next.subStatus ?? ''));
}

function isKnown(observed: Observed): observed is Observed & { status: TrackingStatus } {
  return observed.status !== null;
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The status that a set of observations adds up to: a pure function of the set, so that the order in which they arrived, and
 * how often, cannot matter (docs/tracking.md, "How observations become a status"). Sorted by time, then rank, then identity, each replaces what was
 * before it, but `not_found` and `expired` never overwrite progress, and from `delivered` only a return or a person's
 * correction moves on.
 */
export function foldStatus(observations: Iterable<Observed>): WaybillStatus {
  const sorted = [...observations].filter(isKnown).sort(
    (a, b) =>
      a.occurredAt - b.occurredAt ||
      RANK.get(a.status)! - RANK.get(b.status)! ||
      compareText(a.identity, b.identity) ||
      // One event told twice with two sub-statuses has one identity; the order must still not depend on who came first.
      compareText(a.kind, b.kind) ||
      compareText(a.subStatus ?? '', b.subStatus ?? ''),
  );
  let current = UNKNOWN;
  for (const observed of sorted) {
    if (!replaces(current, observed)) continue;
    // That nothing is known also has a time from when it has been observed.
    const same =
      current.since !== null &&
      current.status === observed.status &&
      current.subStatus === observed.subStatus;
    current = {
      status: observed.status,
      subStatus: observed.subStatus,
      since: same ? current.since : observed.occurredAt,
    };
  }
  return current;
}

// Maps, not objects: a carrier's word may be `constructor`.
const BY_17TRACK = new Map<string, TrackingStatus>([
  ['notfound', 'not_found'],
  ['inforeceived', 'info_received'],
  ['intransit', 'in_transit'],
  ['expired', 'expired'],
  ['availableforpickup', 'available_for_pickup'],
  ['outfordelivery', 'out_for_delivery'],
  ['deliveryfailure', 'delivery_failure'],
  ['delivered', 'delivered'],
  ['exception', 'exception'],
]);

/** One of our statuses, or one of 17TRACK's in any case, as ours; null for any other word. */
export function readStatus(word: string | null | undefined): TrackingStatus | null {
  if (!word) return null;
  const folded = word.trim().toLowerCase();
  if (RANK.has(folded as TrackingStatus)) return folded as TrackingStatus;
  return BY_17TRACK.get(folded) ?? null;
}

/** The main status that a 17TRACK sub-status such as `InTransit_PickedUp` begins with. */
export function statusOfSubStatus(subStatus: string | null | undefined): TrackingStatus | null {
  return readStatus(subStatus?.split('_')[0]);
}

/** 17TRACK's stages, for events that have no status of their own. */
const BY_STAGE = new Map<string, [TrackingStatus, string]>([
  ['InfoReceived', ['info_received', 'InfoReceived']],
  ['PickedUp', ['in_transit', 'InTransit_PickedUp']],
  ['Departure', ['in_transit', 'InTransit_Departure']],
  ['Arrival', ['in_transit', 'InTransit_Arrival']],
  ['AvailableForPickup', ['available_for_pickup', 'AvailableForPickup_Other']],
  ['OutForDelivery', ['out_for_delivery', 'OutForDelivery_Other']],
  ['Delivered', ['delivered', 'Delivered_Other']],
  ['Returning', ['exception', 'Exception_Returning']],
  ['Returned', ['exception', 'Exception_Returned']],
]);

/** What a 17TRACK stage means, or null for a stage that is new to us. */
export function readStage(
  stage: string | null | undefined,
): { status: TrackingStatus; subStatus: string } | null {
  const found = BY_STAGE.get(stage ?? '');
  return found ? { status: found[0], subStatus: found[1] } : null;
}
