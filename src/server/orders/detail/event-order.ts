/** Sub-statuses in the order in which a parcel goes through them, where its main status does not tell. */
const ON_THE_WAY = [
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

const LIST = ON_THE_WAY.map((subStatus) => `'${subStatus}'`).join(', ');

/**
 * `ORDER BY` of a parcel's events, newest first: those of one instant by how far they are, the farthest first, so that a list reads
 * as the parcel went whatever came first. The last is only for a fixed order.
 *
 * @param alias of `tracking_events`
 */
export const newestEventFirst = (alias: string) => `
${alias}.occurred_at DESC, ${alias}.status DESC NULLS LAST,
array_position(ARRAY[${LIST}], ${alias}.sub_status) DESC NULLS LAST, ${alias}.identity DESC`;
