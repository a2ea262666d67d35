import { z } from 'zod';
import { createKeyInput } from '../../server/identity/keys/schema';
import { EXPIRIES } from './key-expiry';

/** The form's input: how the key expires, and the last day if one has to be chosen. */
export const keyForm = createKeyInput
  .omit({ expires_at: true })
  .extend({ expiry: z.enum(['keep', ...EXPIRIES]), until: z.iso.date().optional() })
  .superRefine(({ expiry, until }, context) => {
    if (expiry === 'day' && !until)
      context.addIssue({ code: 'invalid_type', expected: 'date', path: ['until'], message: '' });
  });
