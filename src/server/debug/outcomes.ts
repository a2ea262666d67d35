/** The outcomes of a callback: it was understood at least in part; nothing was understood; its processing has not finished. */
export const CALLBACK_OUTCOMES = ['understood', 'nothing', 'failed'] as const;
