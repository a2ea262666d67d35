import { z } from 'zod';
import { withReason } from '../core/errors/validation';
import { instantSchema, nameSchema, storableText } from '../core/fields';
import { idSchema } from '../core/ids';

const id = idSchema('type.idView');
const list = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,49}$/, withReason('input.list'))
  .meta({ description: 'The list to which a view belongs', examples: ['orders'] });
const query = z
  .string()
  .max(4_000, withReason('text.long', { count: 4000 }))
  .refine(
    (text) => text === '' || storableText(4_000).safeParse(text).success,
    withReason('text.storableShort'),
  )
  .meta({
    description: 'The query string of the list, without the question mark',
    examples: ['status=paid'],
  });

export const viewOutput = z.object({
  id,
  list,
  name: z.string(),
  query: z.string(),
  shared: z.boolean(),
  /** The owner's name; pages show it for views that others share. */
  owner: z.string(),
  mine: z.boolean(),
  /** Whether the caller sees it as a tab above the list. */
  pinned: z.boolean(),
  created_at: instantSchema,
});

export const viewsInput = z.strictObject({ list });
export const viewsOutput = z.array(viewOutput);
export const saveViewInput = z.strictObject({ list, name: nameSchema, query });
export const renameViewInput = z.strictObject({ id, name: nameSchema });
export const shareViewInput = z.strictObject({ id, shared: z.boolean() });
export const pinViewInput = z.strictObject({ id, pinned: z.boolean() });
export const viewInput = z.strictObject({ id });
