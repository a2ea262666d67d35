/** The meaning of a column in a pasted table. */
export type PastedField = 'receipt_id' | 'tracking_number' | 'carrier_code';

/** The names that spreadsheets give the columns, normalised. */
const COLUMN_NAMES: Record<PastedField, readonly string[]> = {
  receipt_id: [
    'receipt',
    'receiptid',
    'receiptnumber',
    'order',
    'orderid',
    'orderno',
    'ordernumber',
    'customerorderno',
    'customerordernumber',
    'reference',
    'referenceno',
    'referencenumber',
    '客户订单号',
    '客户单号',
    '参考号',
    '订单',
    '订单号',
    '订单编号',
  ],
  tracking_number: [
    'tracking',
    'trackingnumber',
    'trackingno',
    'trackingid',
    'trackingcode',
    'waybill',
    'waybillnumber',
    'waybillno',
    '运单号',
    '转单号',
    '国际单号',
    '运单',
    '物流单号',
    '快递单号',
    '跟踪号',
    '追踪号',
  ],
  carrier_code: [
    'carrier',
    'carriercode',
    'carriername',
    'courier',
    'shippingcarrier',
    '承运商',
    '物流商',
    '物流公司',
    '快递公司',
    '快递',
  ],
};

const normaliseName = (name: string) => name.toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, '');

/** Returns the field that a column header stands for, or null if the column is to be ignored. */
export function fieldNamed(name: string): PastedField | null {
  const normalisedName = normaliseName(name);
  return (
    (Object.keys(COLUMN_NAMES) as PastedField[]).find((field) =>
      COLUMN_NAMES[field].includes(normalisedName),
    ) ?? null
  );
}
