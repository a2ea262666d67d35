/**
 * Returns the carrier code of an order's shipment: the one that an import or a user gave it, otherwise the one that was reported
 * for its number, otherwise the order's (docs/tracking.md). Null if there is none.
 *
 * @param codes.shipment the code stored with the order's shipment
 * @param codes.reported the name that a carrier's answer or a callback gave, stored with the number
 */
export function shipmentCarrierCode(codes: {
  shipment: string | null | undefined;
  reported: string | null | undefined;
  order?: string | null;
}): string | null {
  return codes.shipment ?? codes.reported ?? codes.order ?? null;
}
