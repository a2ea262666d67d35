// Written by `npm run sql` from shipment-statuses.sql: change that file instead.
import { Statement } from '../../db/statement';

export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type stringArray = (string)[];

export interface ReadStatusesParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface ReadStatusesRow {
  status: tracking_status;
  tracking_number: string;
}

export const readStatuses = new Statement<ReadStatusesParams, ReadStatusesRow>('shipment-statuses.readStatuses', `
-- A statement of its own: the numbers' rows may be on other servers of a cluster than the orders.
SELECT tracking_number, status FROM tracking_numbers WHERE tracking_number = ANY($1::text[])`, ["trackingNumbers"]);
