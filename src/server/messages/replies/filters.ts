/** What a reply was written for: a request to the API, the playground, an order's page, by hand, or a translation. */
export const REPLY_KINDS = ['request', 'trial', 'draft', 'handwritten', 'translation'] as const;

export const REPLY_OUTCOMES = ['answered', 'refused', 'failed'] as const;
