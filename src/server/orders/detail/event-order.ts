/** Sub-statuses in the order in which a shipment goes through them, where its status does not tell. */
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
 * `ORDER BY` of a parcel's events, newest first: those of one instant by how far they are, the farthest first, so that a list reads
 * as the parcel went whatever came first. The last is only for a fixed order.
 *
 * @param alias of `tracking_events`
 */
export const newestEventFirst = (alias: string) => `
${alias}.occurred_at DESC, ${alias}.status DESC NULLS LAST,
array_position(ARRAY[${LIST}], ${alias}.sub_status) DESC NULLS LAST, ${alias}.identity DESC`;
