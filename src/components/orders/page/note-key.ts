import { createIdempotencyKey } from '../../api/idempotency-key';

/** The text and key of each form's last note that the service has not confirmed, by the form's draft key. */
const unconfirmedNotes = new Map<string, { text: string; key: string }>();

/**
 * Returns the idempotency key for a note. Until `confirmNote` is called, the same form has the same key for the same text, so that
 * the service stores a note once even if it is sent again because only the response was lost.
 */
export function noteKeyOf(draftKey: string, text: string): string {
  const lastNote = unconfirmedNotes.get(draftKey);
  if (lastNote?.text === text) return lastNote.key;
  const key = createIdempotencyKey();
  unconfirmedNotes.set(draftKey, { text, key });
  return key;
}

/** Records that the service has stored the form's note. The next one is a new note, even with the same text. */
export const confirmNote = (draftKey: string) => void unconfirmedNotes.delete(draftKey);
