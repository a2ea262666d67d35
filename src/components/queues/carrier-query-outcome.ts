import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { useReasonText } from '../ui/feedback/reason-text';

type Result = RouterOutputs['shipments']['askCarrier']['results'][number];

export const hasFailed = ({ outcome }: Result) => outcome === 'failed';

/** Returns a function that says what the carrier answered about the shipments of an entry. */
export function useCarrierQueryOutcomeText(): (results: readonly Result[]) => string {
  const t = useTranslations('queues');
  const reasonText = useReasonText();
  return (results) => {
    if (results.length === 0) return t('bulk.noNumber');
    const failedResult = results.find(hasFailed);
    if (failedResult) return failedResult.reason ? reasonText(failedResult.reason) : t('bulk.failed');
    if (results.every(({ outcome }) => outcome === 'unknown')) return t('bulk.unknown');
    return t('asked', { count: results.reduce((sum, { new_events: events }) => sum + events, 0) });
  };
}
