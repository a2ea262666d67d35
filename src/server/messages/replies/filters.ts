/**
 * How a reply came about: a request to the API, a trial of a prompt, a draft on an order's page, written by hand, or a
 * translation.
 */
export const REPLY_KINDS = ['request', 'trial', 'draft', 'handwritten', 'translation'] as const;

export const REPLY_OUTCOMES = ['answered', 'refused', 'failed'] as const;
