import { isFromBuyer } from '../../../server/messages/sender';

/** A stored message of a conversation. */
export interface StoredTurn {
  isFromBuyer: boolean;
  content: string;
}

/** Returns the messages of a stored conversation; skips anything else. */
export function readTurns(conversation: unknown): StoredTurn[] {
  if (!Array.isArray(conversation)) return [];
  return conversation.flatMap((message: unknown) => {
    const { sender, content } = (message ?? {}) as { sender?: unknown; content?: unknown };
    if (typeof sender !== 'string' || typeof content !== 'string') return [];
    return [{ isFromBuyer: isFromBuyer(sender), content }];
  });
}
