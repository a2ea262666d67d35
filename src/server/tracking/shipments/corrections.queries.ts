// Written by `npm run sql` from corrections.sql: change that file instead.
import { Statement } from '../../db/statement';

export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type NumberOrString = number | string;

export interface NumberExistsParams {
  trackingNumber: string;
}

export interface NumberExistsRow {
  exists: boolean;
}

export const numberExists = new Statement<NumberExistsParams, NumberExistsRow>('corrections.numberExists', `
SELECT EXISTS (SELECT FROM tracking_numbers WHERE tracking_number = $1) AS "exists"`, ["trackingNumber"]);

export interface ReadNewestTimeParams {
  trackingNumber: string;
}

export interface ReadNewestTimeRow {
  newest: number | null;
}

export const readNewestTime = new Statement<ReadNewestTimeParams, ReadNewestTimeRow>('corrections.readNewestTime', `
SELECT (extract(epoch FROM max(occurred_at)) * 1000)::float8 AS newest
  FROM tracking_events WHERE tracking_number = $1`, ["trackingNumber"]);

export interface AddCorrectionParams {
  at: number;
  identity: string;
  note: string | null;
  status: tracking_status;
  trackingNumber: string;
}

export interface AddCorrectionRow {
  id: string;
}

export const addCorrection = new Statement<AddCorrectionParams, AddCorrectionRow>('corrections.addCorrection', `
-- \`at\` is in milliseconds.
INSERT INTO tracking_events (tracking_number, kind, identity, occurred_at, status, description, source)
VALUES ($1, 'correction', decode($2, 'hex'), to_timestamp($3::float8 / 1000), $4, $5, 'person')
RETURNING id::text AS "id"`, ["trackingNumber","identity","at","status","note"]);

export interface RemoveCorrectionParams {
  eventId: NumberOrString;
  trackingNumber: string;
}

export interface RemoveCorrectionRow {
  description: string | null;
}

export const removeCorrection = new Statement<RemoveCorrectionParams, RemoveCorrectionRow>('corrections.removeCorrection', `
DELETE FROM tracking_events WHERE tracking_number = $1 AND id = $2 AND kind = 'correction'
RETURNING description`, ["trackingNumber","eventId"]);

export interface ReadStatusParams {
  trackingNumber: string;
}

export interface ReadStatusRow {
  status: tracking_status;
  sub_status: string | null;
}

export const readStatus = new Statement<ReadStatusParams, ReadStatusRow>('corrections.readStatus', `
SELECT status, sub_status FROM tracking_numbers WHERE tracking_number = $1`, ["trackingNumber"]);
