import { z } from 'zod';
import { createKeyInput } from '../../server/identity/keys/schema';
import { EXPIRIES } from './key-expiry';

/** The input of `createKeyInput`, but with a choice of expiry, and a last day for the choice `day`, instead of `expires_at`. */
export const keyForm = createKeyInput
  .omit({ expires_at: true })
  .extend({ expiry: z.enum(['keep', ...EXPIRIES]), until: z.iso.date().optional() })
  .superRefine(({ expiry, until }, context) => {
    if (expiry === 'day' && !until)
      context.addIssue({ code: 'invalid_type', expected: 'date', path: ['until'], message: '' });
  });
