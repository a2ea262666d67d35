/** The outcomes of a callback: it was understood at least in part; nothing was understood; its processing has not finished. */
export const CALLBACK_OUTCOMES = ['understood', 'nothing', 'failed'] as const;

type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number];

/** What the callbacks with each outcome have in common. If the processing has not finished, the numbers do not matter. */
export const OUTCOME_CONDITIONS: Record<CallbackOutcome, { isProcessed: boolean; hasNumbers?: boolean }> = {
  understood: { isProcessed: true, hasNumbers: true },
  nothing: { isProcessed: true, hasNumbers: false },
  failed: { isProcessed: false },
};

/** Returns the outcome whose conditions a stored callback meets. */
export function outcomeOf(callback: {
  processed_at: string | null;
  tracking_number_count: number;
}): CallbackOutcome {
  const isProcessed = callback.processed_at !== null;
  const hasNumbers = callback.tracking_number_count > 0;
  return CALLBACK_OUTCOMES.find((outcome) => {
    const conditions = OUTCOME_CONDITIONS[outcome];
    return conditions.isProcessed === isProcessed && (conditions.hasNumbers ?? hasNumbers) === hasNumbers;
  })!;
}
