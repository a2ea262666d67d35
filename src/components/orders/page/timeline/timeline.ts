import type { RouterOutputs } from '../../../api/router-types';

type Order = RouterOutputs['orders']['one'];
type Shipment = Order['shipments'][number];
type Change = Order['history'][number];

export const TIMELINE_KINDS = ['tracking', 'changes', 'messages', 'notes'] as const;

export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** Something that happened to an order. */
export type TimelineEntry = { key: string; at: string } & (
  | { kind: 'tracking'; shipment: Shipment; event: Shipment['events'][number] }
  | { kind: 'changes' | 'messages'; change: Change }
  | { kind: 'notes'; note: Order['notes'][number] }
);

/**
 * Drops reported events without a description or location, such as carriers' summaries, that repeat the status of another event at
 * the same instant, if that one has a description or location or is a user's correction.
 */
export function withoutRepeats(events: Shipment['events']): Shipment['events'] {
  const informativeEvents = events.filter(
    ({ kind, description, location }) => kind === 'correction' || description || location,
  );
  const informativeKeys = new Set(informativeEvents.map((event) => `${event.occurred_at} ${event.status}`));
  return events.filter(
    (event) =>
      informativeEvents.includes(event) || !informativeKeys.has(`${event.occurred_at} ${event.status}`),
  );
}

/**
 * Returns the timeline of an order, newest first: the shipments' events without repeats, changes by imports and users, replies sent
 * to the buyer, and notes. Entries at the same instant keep the order of `shipments`, `notes` and `history`.
 */
export function timelineOf({ shipments, history, notes }: Order): TimelineEntry[] {
  const noteTexts = new Set(notes.map(({ text }) => text));
  const entries: TimelineEntry[] = [
    ...shipments.flatMap((shipment) =>
      withoutRepeats(shipment.events).map((event) => ({
        kind: 'tracking' as const,
        key: `event-${event.id}`,
        at: event.occurred_at,
        shipment,
        event,
      })),
    ),
    ...notes.map((note) => ({ kind: 'notes' as const, key: `note-${note.id}`, at: note.created_at, note })),
    ...history
      // Skips the change "note added" if a note with its text is in the timeline.
      .filter(({ action, after }) => action !== 'order.add_note' || !noteTexts.has(String(after?.text)))
      .map((change, index) => ({
        kind: change.action === 'order.send_reply' ? ('messages' as const) : ('changes' as const),
        key: `change-${history.length - index}`,
        at: change.at,
        change,
      })),
  ];
  return entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
