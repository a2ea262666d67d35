import type pg from 'pg';
import { z } from 'zod';
import { readStatuses } from './shipment-statuses.queries';

/** The rows that a statement returns, with all columns as text. */
export type TextRows = readonly (readonly (string | null)[])[];

/** The shipments of a row as the export's statement writes them. */
const shipmentsJson = z.array(
  z.strictObject({ tracking_number: z.string(), carrier_code: z.string().nullable() }),
);

/**
 * Returns the rows with the status of its tracking number added to each shipment. The column at `columnIndex` has a row's shipments
 * as a JSON list.
 */
export async function addShipmentStatuses(
  client: pg.PoolClient,
  rows: TextRows,
  columnIndex: number,
): Promise<TextRows> {
  const shipmentLists = rows.map((row) => shipmentsJson.parse(JSON.parse(row[columnIndex]!)));
  const trackingNumbers = [...new Set(shipmentLists.flat().map((shipment) => shipment.tracking_number))];
  if (trackingNumbers.length === 0) return rows;
  const statusRows = await readStatuses.runPrepared(client, { trackingNumbers });
  const statusByNumber = new Map(statusRows.map(({ tracking_number, status }) => [tracking_number, status]));
  return rows.map((row, index) => {
    const shipments = shipmentLists[index]!.map((shipment) => ({
      ...shipment,
      status: statusByNumber.get(shipment.tracking_number) ?? null,
    }));
    return row.map((cell, cellIndex) => (cellIndex === columnIndex ? JSON.stringify(shipments) : cell));
  });
}
