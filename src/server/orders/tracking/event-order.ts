/**
 * Sub-statuses in the order in which a shipment goes through them. Lists of events are sorted by time, status, the position of
 * the sub-status in this list, and identity, each descending with nulls last. Events with the same time are thus
 * sorted by progress, furthest first, so that a list shows the shipment's route no matter which event arrived first. The
 * identity only makes the order stable.
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
