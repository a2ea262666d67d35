/**
 * What a reply comes from: a request to the API, a trial of a prompt, a draft on an order's page, a user who wrote it by hand, or
 * a translation.
 */
export const REPLY_KINDS = ['request', 'trial', 'draft', 'handwritten', 'translation'] as const;

export const REPLY_OUTCOMES = ['answered', 'refused', 'failed'] as const;
