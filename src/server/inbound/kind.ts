/** The kinds of received requests that are stored: carriers' callbacks (`tracks`) and debug records (`marketplace`). */
export const RECORD_KINDS = ['tracks', 'marketplace'] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];
