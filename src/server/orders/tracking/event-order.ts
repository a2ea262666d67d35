/**
 * Sub-statuses in the order in which a shipment goes through them. Statements sort a shipment's events, newest first, by time,
 * status, the place of the sub-status in this list and identity, each descending with nulls last. Events of the same instant are
 * so sorted by progress, the furthest first, and a list reads in the order the shipment travelled, whichever event arrived
 * first. The last column only makes the order stable.
 */
export const SUB_STATUS_ORDER = [
  'InTransit_PickedUp',
  'InTransit_Departure',
  'InTransit_TransportArrived',
  'InTransit_Arrival',
  'InTransit_CustomsProcessing',
  'InTransit_CustomsRequiringInformation',
  'InTransit_CustomsReleased',
  'Exception_Returning',
  'Exception_Returned',
];
