'use client';

import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';

/** 17TRACK's sub-statuses. Other carriers' codes are mapped to them too. */
const SUB_STATUS_NAMES = messageKeys('status', {
  NotFound_Other: 'sub.NotFound_Other',
  NotFound_InvalidCode: 'sub.NotFound_InvalidCode',
  InfoReceived: 'sub.InfoReceived',
  InTransit_Other: 'sub.InTransit_Other',
  InTransit_PickedUp: 'sub.InTransit_PickedUp',
  InTransit_Departure: 'sub.InTransit_Departure',
  InTransit_TransportArrived: 'sub.InTransit_TransportArrived',
  InTransit_Arrival: 'sub.InTransit_Arrival',
  InTransit_CustomsProcessing: 'sub.InTransit_CustomsProcessing',
  InTransit_CustomsReleased: 'sub.InTransit_CustomsReleased',
  InTransit_CustomsRequiringInformation: 'sub.InTransit_CustomsRequiringInformation',
  Expired_Other: 'sub.Expired_Other',
  AvailableForPickup_Other: 'sub.AvailableForPickup_Other',
  OutForDelivery_Other: 'sub.OutForDelivery_Other',
  DeliveryFailure_Other: 'sub.DeliveryFailure_Other',
  DeliveryFailure_NoBody: 'sub.DeliveryFailure_NoBody',
  DeliveryFailure_Security: 'sub.DeliveryFailure_Security',
  DeliveryFailure_Rejected: 'sub.DeliveryFailure_Rejected',
  DeliveryFailure_InvalidAddress: 'sub.DeliveryFailure_InvalidAddress',
  Delivered_Other: 'sub.Delivered_Other',
  Exception_Other: 'sub.Exception_Other',
  Exception_Returning: 'sub.Exception_Returning',
  Exception_Returned: 'sub.Exception_Returned',
  Exception_NoBody: 'sub.Exception_NoBody',
  Exception_Security: 'sub.Exception_Security',
  Exception_Damage: 'sub.Exception_Damage',
  Exception_Rejected: 'sub.Exception_Rejected',
  Exception_Delayed: 'sub.Exception_Delayed',
  Exception_Lost: 'sub.Exception_Lost',
  Exception_Destroyed: 'sub.Exception_Destroyed',
  Exception_Cancel: 'sub.Exception_Cancel',
});

/** Returns a function that names a sub-status in the reader's language; an unknown one keeps the carrier's code. */
function useSubStatusName(): (subStatus: string) => string {
  const t = useTranslations('status');
  return (subStatus) =>
    Object.hasOwn(SUB_STATUS_NAMES, subStatus)
      ? t(SUB_STATUS_NAMES[subStatus as keyof typeof SUB_STATUS_NAMES])
      : subStatus;
}

/** The name of a sub-status. */
export function SubStatusName({ subStatus }: { subStatus: string }) {
  return useSubStatusName()(subStatus);
}
