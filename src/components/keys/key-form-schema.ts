import { z } from 'zod';
import { createKeyInput } from '../../server/identity/keys/schema';
import { EXPIRIES } from './key-expiry';

/** Like `createKeyInput`, but instead of `expires_at` it has a choice of expiry and, for the choice `day`, the last day. */
export const keyFormSchema = createKeyInput
  .omit({ expires_at: true })
  .extend({ expiry: z.enum(['keep', ...EXPIRIES]), until: z.iso.date().optional() })
  .superRefine(({ expiry, until }, context) => {
    if (expiry === 'day' && !until)
      context.addIssue({ code: 'invalid_type', expected: 'date', path: ['until'], message: '' });
  });
