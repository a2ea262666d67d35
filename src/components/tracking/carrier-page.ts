import { carrierName } from '../../server/tracking/carriers/carrier-name';

/** The public tracking pages of some carriers, by carrier name. Only URLs that are widely used are listed. */
const PAGES: Record<string, string> = {
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
export function carrierPage(
  code: string | null,
  trackingNumber: string,
): { carrier: string; href: string } | null {
  const carrier = carrierName(code);
  const page = carrier === null || !Object.hasOwn(PAGES, carrier) ? undefined : PAGES[carrier];
  if (carrier === null || page === undefined) return null;
  return { carrier, href: page.replace('{number}', () => encodeURIComponent(trackingNumber)) };
}
