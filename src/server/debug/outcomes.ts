/** The outcome of a callback: understood at least in part; nothing understood; processing interrupted. */
export const CALLBACK_OUTCOMES = ['understood', 'nothing', 'failed'] as const;
