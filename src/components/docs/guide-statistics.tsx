import { LISTING_FIELDS, SHOP_FIELDS, type StatisticFieldKind } from '../../server/statistics/fields';
import { Code, Section, Table } from './parts';

const KIND_TEXTS: Record<StatisticFieldKind, string> = {
  count: 'whole number from 0',
  amount: 'amount from 0',
  rate: 'number from 0 to 100',
  ratio: 'number from 0',
};

function createFieldRows(fields: Record<string, readonly [StatisticFieldKind, string]>) {
  return Object.entries(fields).map(([name, [kind, description]]) => ({
    key: name,
    cells: [<code key="field">{name}</code>, KIND_TEXTS[kind], description],
  }));
}

const HEAD = ['Field', 'Kind', 'What it is'];

export function StatisticsGuide({ origin }: { origin: string }) {
  return (
    <>
      <p>
        Two operations store the figures of a day. The first call creates the row, later ones update it: you
        can send a day as often as its figures change. <code>shop_id</code> is the marketplace&rsquo;s own id
        of the shop, at most 50 characters; surrounding spaces are dropped, and the shop need not exist in
        Brickdesk.
      </p>
      <Section id="shop-day" title="A shop's day">
        <p>
          A row is identified by <code>shop_id</code> and <code>date</code>. Both are required.
        </p>
        <Code language="Shell">{`curl ${origin}/api/shop-statistics \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"shop_id": "my-shop", "date": "2026-08-22", "total_orders": 12, "total_revenue": 53.88,
       "conversion_rate": 2.75, "weather": "rain"}'`}</Code>
        <p>
          <code>weather</code> has no field of its own and is stored in <code>extra</code>. The response is
          the whole row as stored, with <code>created</code> and <code>updated_at</code>.
        </p>
        <Table label="Fields of a shop's day" head={HEAD} rows={createFieldRows(SHOP_FIELDS)} />
      </Section>
      <Section id="listing-day" title="A listing's day">
        <p>
          A row is identified by <code>listing_id</code> (a number), <code>shop_id</code> and{' '}
          <code>date</code>.
        </p>
        <Code language="Shell">{`curl ${origin}/api/product-statistics \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"listing_id": 1089353670, "shop_id": "my-shop", "date": "2026-08-22", "visits": 40, "orders": 3,
       "revenue": 13.47, "roas": 3.2}'`}</Code>
        <Table label="Fields of a listing's day" head={HEAD} rows={createFieldRows(LISTING_FIELDS)} />
      </Section>
      <Section id="rules" title="Rules">
        <ul>
          <li>Members that are left out keep their stored values; members that were never sent are null.</li>
          <li>
            Optional members may be left out, but must not be null. Numbers are JSON numbers:{' '}
            <code>&quot;12&quot;</code> is refused.
          </li>
          <li>
            Amounts and ratios go up to 1,000,000,000,000. Rates and ratios are rounded to four decimals.
          </li>
          <li>
            Amounts are in the shop&rsquo;s currency, which is set under Shops or with{' '}
            <code>account create --currency</code>; a shop without one gets the currency that all its orders
            have. Sums are shown by currency and never added up across currencies.
          </li>
          <li>
            <code>date</code> is an existing day, <code>YYYY-MM-DD</code>, in the year 5 or later. It ends in
            the shop&rsquo;s time zone, by default that of New York.
          </li>
          <li>
            Other members are merged into <code>extra</code>, which may hold up to 64 KiB per row. They may be
            nested at most 32 levels deep.
          </li>
        </ul>
      </Section>
    </>
  );
}
