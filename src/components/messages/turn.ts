import { isFromBuyer } from '../../server/messages/sender';

/** A message of a conversation, as the service expects it. */
export interface Turn {
  sender: 'buyer' | 'shop';
  content: string;
}

/** Returns the messages of a stored conversation; skips anything else. */
export function readTurns(conversation: unknown): Turn[] {
  if (!Array.isArray(conversation)) return [];
  return conversation.flatMap((message: unknown) => {
    const { sender, content } = (message ?? {}) as { sender?: unknown; content?: unknown };
    if (typeof sender !== 'string' || typeof content !== 'string') return [];
    return [{ sender: isFromBuyer(sender) ? 'buyer' : 'shop', content }];
  });
}
