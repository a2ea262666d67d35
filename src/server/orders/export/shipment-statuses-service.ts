import type pg from 'pg';
import { readStatuses } from './shipment-statuses.queries';

/** The rows that a statement returns, with all columns as text. */
export type TextRows = readonly (readonly (string | null)[])[];

interface Shipment {
  tracking_number: string;
  carrier_code: string | null;
}

/** Adds to each shipment the status of its tracking number. The column holds each row's shipments as a JSON list. */
export async function addStatuses(client: pg.PoolClient, rows: TextRows, column: number): Promise<TextRows> {
  const lists = rows.map((row) => JSON.parse(row[column]!) as Shipment[]);
  const trackingNumbers = [...new Set(lists.flat().map((shipment) => shipment.tracking_number))];
  if (trackingNumbers.length === 0) return rows;
  const statusRows = await readStatuses.runPrepared(client, { trackingNumbers });
  const statuses = new Map(statusRows.map(({ tracking_number, status }) => [tracking_number, status]));
  return rows.map((row, index) => {
    const shipments = lists[index]!.map((shipment) => ({
      ...shipment,
      status: statuses.get(shipment.tracking_number) ?? null,
    }));
    return row.map((cell, at) => (at === column ? JSON.stringify(shipments) : cell));
  });
}
