/** Sub-statuses in the order in which a shipment goes through them, for events whose status alone does not decide. */
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

const LIST = SUB_STATUS_ORDER.map((subStatus) => `'${subStatus}'`).join(', ');

/**
 * `ORDER BY` of a shipment's events, newest first. Events of the same instant are sorted by progress, the furthest first, so
 * that a list reads in the order the shipment travelled, whichever event arrived first. The last column only makes the order
 * stable.
 *
 * @param alias of `tracking_events`
 */
export const newestEventFirst = (alias: string) => `
${alias}.occurred_at DESC, ${alias}.status DESC NULLS LAST,
array_position(ARRAY[${LIST}], ${alias}.sub_status) DESC NULLS LAST, ${alias}.identity DESC`;
