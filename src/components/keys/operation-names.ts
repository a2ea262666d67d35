import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';

/** The names of the API's operations, in the reader's language. */
export const OPERATION_NAMES = messageKeys('keys', {
  get_api_legos_head: 'operations.legosHead',
  get_api_legos_body: 'operations.legosBody',
  get_api_legos_hair: 'operations.legosHair',
  get_api_legos_leg: 'operations.legosLeg',
  get_api_legos_brick: 'operations.legosBrick',
  get_api_legos_cate: 'operations.legosCate',
  get_api_legos_sku: 'operations.legosSku',
  get_api_logistics: 'operations.logistics',
  get_api_v1_tracking_text: 'operations.trackingText',
  post_api_v1_tracks: 'operations.tracks',
  post_api_marketplace_message: 'operations.message',
  post_api_orders_import: 'operations.ordersImport',
  post_api_product_statistics: 'operations.productStatistics',
  post_api_shop_statistics: 'operations.shopStatistics',
  get_api_v1_marketplace: 'operations.marketplaceGet',
  post_api_v1_marketplace: 'operations.marketplacePost',
});

/** Returns a function that names an operation in the reader's language, or an unknown one by its `summary` or else its `name`. */
export function useOperationName(): (operation: { name: string; summary?: string }) => string {
  const t = useTranslations('keys');
  return ({ name, summary = name }) =>
    name in OPERATION_NAMES ? t(OPERATION_NAMES[name as keyof typeof OPERATION_NAMES]) : summary;
}
