import '../core/errors/validation';
import { z } from 'zod';

/** Any JSON object; it is stored completely, as received, except that credentials are masked. */
export const debugRequest = z
  .looseObject({})
  .meta({ id: 'DebugRequest', description: 'Any JSON object', examples: [{ anything: 'at all' }] });

const recordId = z
  .union([z.int().min(1), z.string()])
  .meta({ description: 'Id of the stored record; a string beyond 2^53-1', examples: [1] });

export const debugResponse = z
  .object({ success: z.literal(true), data: z.object({ record_id: recordId }) })
  .meta({ id: 'DebugResponse' });
