/** A sample of the marketplace's export, to try the import with. Its orders are shipped, so they do not appear in a queue. */
export const SAMPLE_CSV = [
  'Sale Date,Item Name,Buyer,Quantity,Price,Item Total,Currency,Transaction ID,Listing ID,Date Paid,Date Shipped,Ship Name,Ship City,Ship State,Ship Zipcode,Ship Country,Order ID',
  '08/22/26,Sample: fox sticker,sample-buyer-1,2,4.49,8.98,USD,9000000001,9100000001,08/22/2026,08/23/2026,Ann Sample,Carrollton,TX,75006,United States,SAMPLE-1',
  '08/22/26,Sample: whale sticker,sample-buyer-1,1,4.49,4.49,USD,9000000002,9100000002,08/22/2026,08/23/2026,Ann Sample,Carrollton,TX,75006,United States,SAMPLE-1',
  '08/23/26,Sample: owl mug,sample-buyer-2,1,18.00,18.00,USD,9000000003,9100000003,08/23/2026,08/24/2026,Bo Sample,Toronto,ON,M5V 2T6,Canada,SAMPLE-2',
  '',
].join('\r\n');

export const SAMPLE_FILE_NAME = 'brickdesk-sample-orders.csv';
