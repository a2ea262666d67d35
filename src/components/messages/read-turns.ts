/** A message of a conversation as it came. */
export interface StoredTurn {
  fromBuyer: boolean;
  /** Who wrote it, as the request says. */
  sender: string;
  content: string;
}

/** The messages of a stored conversation; anything that is none is left out. */
export function readTurns(stored: unknown): StoredTurn[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((message: unknown) => {
    const { sender, content } = (message ?? {}) as { sender?: unknown; content?: unknown };
    if (typeof sender !== 'string' || typeof content !== 'string') return [];
    return [{ fromBuyer: sender === 'buyer', sender, content }];
  });
}
