import { z } from 'zod';
import { nextCursor } from '../core/fields';
import { recordIdSchema } from '../core/ids';
import { RECORD_KINDS } from '../inbound/kind';
import { listedRecord, recordPageInput, storedRecord } from '../inbound/schema';
import { CALLBACK_OUTCOMES } from '../tracking/callbacks/outcomes';

export const recordListInput = recordPageInput.extend({ kind: z.enum(RECORD_KINDS).default('marketplace') });

export const recordInput = z.strictObject({ id: recordIdSchema('type.idRecord') });

/** Null for debug records, which are stored but not processed. */
const outcome = z.enum(CALLBACK_OUTCOMES).nullable();

export const recordListOutput = z.object({
  records: z.array(listedRecord.extend({ outcome })),
  next: nextCursor,
});

export const recordOutput = storedRecord.extend({ outcome });
