import { z } from 'zod';
import '../core/errors/validation';

/** The path of the page of API keys. A message that links to it names keys. */
export const KEYS_PATH = '/keys';

/** A message as stored: in its reader's language, but independent of any vendor's format. */
export const messageSchema = z.object({
  /** The subject of an e-mail, and the first line in a chat. */
  title: z.string(),
  intro: z.string(),
  /** The items of the message's list. `path` is the page to link to, below the back office's prefix. */
  lines: z.array(z.object({ text: z.string(), path: z.string().nullable() })),
});

export type Message = z.output<typeof messageSchema>;
export type Line = Message['lines'][number];
