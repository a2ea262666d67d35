import { type OBSERVATION_KINDS, TRACKING_STATUSES, type TrackingStatus } from '../core/statuses';

const RANK_BY_STATUS = new Map<TrackingStatus, number>(
  TRACKING_STATUSES.map((status, rank) => [status, rank]),
);

/** An observation of a shipment at one time. */
export interface StatusObservation {
  kind: (typeof OBSERVATION_KINDS)[number];
  /** Milliseconds since the Unix epoch. */
  occurredAt: number;
  /** Null if the provider's status has no known meaning: the observation is stored but ignored. */
  status: TrackingStatus | null;
  subStatus: string | null;
  /** Hexadecimal; breaks ties between observations with the same time and status. */
  identity: string;
}

/** The status of a shipment, and when it began. */
export interface ShipmentStatus {
  status: TrackingStatus;
  subStatus: string | null;
  /** Milliseconds since the Unix epoch. Null if no status has been observed. */
  since: number | null;
}

const UNKNOWN_STATUS: ShipmentStatus = { status: 'not_found', subStatus: null, since: null };

/**
 * Sub-statuses of an exception that mean that a shipment, even a delivered one, is on its way back or has been returned, as
 * {@link foldSubStatus} returns them.
 */
export const RETURN_SUB_STATUSES = ['exceptionreturning', 'exceptionreturned', 'returning', 'returned'];

/**
 * Returns the letters of a sub-status in lower case, so that all spellings of one are equal. merge.sql does the same: a status that
 * a user has mapped, or that was stored by an earlier release, can have any spelling.
 */
const foldSubStatus = (subStatus: string) => subStatus.toLowerCase().replace(/[^a-z]/g, '');

/** Returns whether a status means that a shipment is on its way back or has been returned. */
export const isReturn = (status: TrackingStatus | null, subStatus: string | null) =>
  status === 'exception' && RETURN_SUB_STATUSES.includes(foldSubStatus(subStatus ?? ''));

/** Returns whether a status means that nothing is known. Unless a user sets it, such a status never overwrites a known one. */
function isUninformative(status: TrackingStatus): boolean {
  return status === 'not_found' || status === 'expired';
}

function isReplacedBy(
  currentStatus: ShipmentStatus,
  nextObservation: StatusObservation & { status: TrackingStatus },
): boolean {
  if (nextObservation.kind === 'correction') return true;
  if (isUninformative(nextObservation.status)) return isUninformative(currentStatus.status);
  if (currentStatus.status !== 'delivered') return true;
  return (
    nextObservation.status === 'delivered' || isReturn(nextObservation.status, nextObservation.subStatus)
  );
}

function hasStatus(
  observation: StatusObservation,
): observation is StatusObservation & { status: TrackingStatus } {
  return observation.status !== null;
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Returns the status that follows from a set of observations: a pure function of the set, so it does not matter in which order
 * or how often they arrived (docs/tracking.md, "How observations become a status"). Sorted by time, then rank, then identity,
 * each observation replaces the one before it, except that only a user's correction overwrites progress with `not_found` or
 * `expired`, and only a return or a correction changes `delivered`.
 */
export function computeStatus(observations: Iterable<StatusObservation>): ShipmentStatus {
  const sortedObservations = [...observations].filter(hasStatus).sort(
    (a, b) =>
      a.occurredAt - b.occurredAt ||
      RANK_BY_STATUS.get(a.status)! - RANK_BY_STATUS.get(b.status)! ||
      compareText(a.identity, b.identity) ||
      // The same event may be reported with two sub-statuses; the result must not depend on the order of the reports.
      compareText(a.kind, b.kind) ||
      compareText(a.subStatus ?? '', b.subStatus ?? ''),
  );
  let currentStatus = UNKNOWN_STATUS;
  for (const observation of sortedObservations) {
    if (!isReplacedBy(currentStatus, observation)) continue;
    // The initial `not_found` has no start time; an observed one does.
    const isSame =
      currentStatus.since !== null &&
      currentStatus.status === observation.status &&
      currentStatus.subStatus === observation.subStatus;
    currentStatus = {
      status: observation.status,
      subStatus: observation.subStatus,
      since: isSame ? currentStatus.since : observation.occurredAt,
    };
  }
  return currentStatus;
}

// Maps, not objects: a carrier's status may be `constructor`.
const STATUS_BY_17TRACK_STATUS = new Map<string, TrackingStatus>([
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

/** Returns our status for one of our own or 17TRACK's statuses, case-insensitively, or null for any other. */
export function readProviderStatus(providerStatus: string | null | undefined): TrackingStatus | null {
  if (!providerStatus) return null;
  const foldedStatus = providerStatus.trim().toLowerCase();
  if (RANK_BY_STATUS.has(foldedStatus as TrackingStatus)) return foldedStatus as TrackingStatus;
  return STATUS_BY_17TRACK_STATUS.get(foldedStatus) ?? null;
}

/** 17TRACK's main statuses with the last parts of their sub-statuses. */
const SUB_STATUS_SUFFIXES = {
  NotFound: 'Other InvalidCode',
  InTransit: 'PickedUp Other Departure Arrival CustomsProcessing CustomsReleased CustomsRequiringInformation',
  Expired: 'Other',
  AvailableForPickup: 'Other',
  OutForDelivery: 'Other',
  DeliveryFailure: 'Other NoBody Security Rejected InvalidAddress',
  Delivered: 'Other',
  Exception: 'Other Returning Returned NoBody Security Damage Rejected Delayed Lost Destroyed Cancel',
};

/** 17TRACK's sub-statuses, by main status and folded name or folded last part. */
const SUB_STATUS_BY_KEY = new Map<string, string>([['info_received inforeceived', 'InfoReceived']]);
for (const [providerStatus, suffixes] of Object.entries(SUB_STATUS_SUFFIXES)) {
  for (const suffix of suffixes.split(' ')) {
    const subStatus = `${providerStatus}_${suffix}`;
    for (const name of [suffix, subStatus])
      SUB_STATUS_BY_KEY.set(`${readProviderStatus(providerStatus)} ${foldSubStatus(name)}`, subStatus);
  }
}

/** Returns the main status at the start of a 17TRACK sub-status such as `InTransit_PickedUp`, or null if it is unknown. */
export function statusOfSubStatus(subStatus: string | null | undefined): TrackingStatus | null {
  return readProviderStatus(subStatus?.split('_')[0]);
}

/**
 * Returns a sub-status in 17TRACK's spelling if it is one of 17TRACK's for this main status, in any case and with or without the
 * main status (`returned`). Returns an unknown one unchanged, and null for one that belongs to another main status.
 */
export function readSubStatus(status: TrackingStatus, subStatus: string): string | null {
  const knownSubStatus = SUB_STATUS_BY_KEY.get(`${status} ${foldSubStatus(subStatus)}`);
  if (knownSubStatus !== undefined) return knownSubStatus;
  const ownStatus = statusOfSubStatus(subStatus);
  return ownStatus === null || ownStatus === status ? subStatus : null;
}

/** The meanings of 17TRACK's stages, for events without a status of their own. */
const MEANING_BY_STAGE = new Map<string, [TrackingStatus, string]>([
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

/** Returns the meaning of a 17TRACK stage, or null for an unknown one. */
export function readStage(
  stage: string | null | undefined,
): { status: TrackingStatus; subStatus: string } | null {
  const meaning = MEANING_BY_STAGE.get(stage ?? '');
  return meaning ? { status: meaning[0], subStatus: meaning[1] } : null;
}
