import { carrierName } from '../../server/tracking/carriers/carrier-name';

/** URL templates of public tracking pages, by carrier name. Lists only widely used URLs. */
const PAGE_TEMPLATES: Record<string, string> = {
  'Australia Post': 'https://auspost.com.au/mypost/track/#/details/{number}',
  Cainiao: 'https://global.cainiao.com/detail.htm?mailNoList={number}',
  'Canada Post': 'https://www.canadapost-postescanada.ca/track-reperage/en#/details/{number}',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr={number}',
  '4PX': 'https://track.4px.com/#/result/0/{number}',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/{number}',
  UPS: 'https://www.ups.com/track?tracknum={number}',
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels={number}',
  Yanwen: 'https://track.yw56.com.cn/en/querydel?nums={number}',
  YunExpress: 'https://www.yuntrack.com/parcelTracking?id={number}',
};

/**
 * Returns the carrier's name and the URL of its page about a tracking number.
 * @param code the carrier in any spelling
 * @returns null if the carrier or its page is not known
 */
export function findCarrierPage(
  code: string | null,
  trackingNumber: string,
): { carrier: string; href: string } | null {
  const carrier = carrierName(code);
  const template =
    carrier === null || !Object.hasOwn(PAGE_TEMPLATES, carrier) ? undefined : PAGE_TEMPLATES[carrier];
  if (carrier === null || template === undefined) return null;
  return { carrier, href: template.replace('{number}', () => encodeURIComponent(trackingNumber)) };
}
