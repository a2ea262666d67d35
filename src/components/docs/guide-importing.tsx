import { ORDER_FIELDS, type OrderField } from '../../server/orders/column-map';
import { DATE_EXAMPLES, REFUSED_DATES } from './date-examples';
import { Code, Section, Table, TextWithCode } from './parts';

const KIND_TEXTS: Record<(typeof ORDER_FIELDS)[OrderField]['kind'], string> = {
  id: 'id, as text',
  text: 'text',
  currency: 'currency',
  money: 'amount',
  quantity: 'whole number',
  instant: 'date or time',
  day: 'date',
  shipped: 'date or sign',
  tracking_number: 'tracking number',
};

const FIELD_ROWS = Object.entries(ORDER_FIELDS).map(([name, field]) => ({
  key: name,
  cells: [
    field.column ?? 'named only',
    <code key="field">{name}</code>,
    field.headers.join(' / ') || 'none',
    KIND_TEXTS[field.kind],
    field.scope,
    <TextWithCode key="what" text={`${field.description}. Example: \`${field.example}\``} />,
  ],
}));

export function ImportingOrdersGuide({ origin }: { origin: string }) {
  return (
    <>
      <p>
        <code>POST /api/orders/import</code> accepts rows, one for each item of an order. Rows with the same{' '}
        <code>receipt_id</code> are one order. A request is one transaction: if a row is bad, the whole
        request is refused with 422, the bad rows and fields are named, and nothing is changed.
      </p>
      <Section id="named-rows" title="Named rows">
        <p>
          Objects whose members are named after the fields in the table below. <code>receipt_id</code> is
          required; all others may be left out. Members that are not in the table are stored in the
          item&rsquo;s <code>extra</code>, at most 64 KiB per item: a row with more is refused, and what does
          not fit with what is already stored is left out, with a warning in the import history.
        </p>
        <Code language="Shell">{`curl ${origin}/api/orders/import \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"account_id": 1, "rows": [
    {"receipt_id": "1002", "transaction_id": "21", "title": "Fox Sticker", "quantity": 2, "price": 4.49,
     "sale_date": "08/22/2026", "name": "Sable Proxy", "country_name": "United States"},
    {"receipt_id": "1002", "transaction_id": "22", "title": "Owl Sticker", "quantity": 1, "price": "4.49",
     "tracking_number": "LX123456789CN", "carrier_code": "yanwen"}]}'`}</Code>
      </Section>
      <Section id="export-rows" title="Rows of the marketplace's export">
        <p>
          With <code>&quot;excel_format&quot;: true</code> the rows are those of the &ldquo;Sold order
          items&rdquo; export, each an array of cells. The first is the header, and its third cell must be{' '}
          <code>Buyer</code>. The other rows are read by position: columns 0 to 32 of the table. Columns past
          32 are stored in <code>extra</code>.
        </p>
        <Code language="Shell">{`curl ${origin}/api/orders/import \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"account_id": 1, "excel_format": true, "rows": [
    ["Sale Date", "Item Name", "Buyer", "Quantity", "Price", "Coupon Code", "Coupon Details",
     "Discount Amount", "Shipping Discount", "Order Shipping", "Order Sales Tax", "Item Total",
     "Currency", "Transaction ID", "Listing ID", "Date Paid", "Date Shipped", "Ship Name",
     "Ship Address1", "Ship Address2", "Ship City", "Ship State", "Ship Zipcode", "Ship Country",
     "Order ID", "Variations", "Order Type", "Listings Type", "Payment Type", "InPerson Discount",
     "InPerson Location", "VAT Paid by Buyer", "SKU"],
    ["08/22/26", "Fox Sticker", "Wynn (4y1po5ze)", "1", "4.49", "", "", "0.00", "0.00", "5.00", "0.36",
     "4.49", "USD", "31", "1089353670", "08/22/2026", "", "Sable Proxy", "8963 Nowhere Blvd", "",
     "Carrollton", "TX", "75006", "United States", "1003", "", "online", "listing", "online_cc",
     "0.00", "", "0.00", "FOX-01"]]}'`}</Code>
        <p>
          The UK&rsquo;s export has other headers at the same positions and is read the same way. If the
          header has Order ID in any column but 24, the layout is another one: the columns are then read by
          their names, and a file without Transaction ID or Date Paid is refused, with the name of the export
          to download.
        </p>
        <p>
          Without <code>excel_format</code>, arrays are also read by position, but there is no header, and
          objects and arrays may be mixed.
        </p>
      </Section>
      <Section id="columns" title="All columns and fields">
        <p>
          Columns are counted from 0. &ldquo;Named only&rdquo; fields are not in the export and can be sent in
          named rows. If the UK export has another header, it follows the slash. A field of an order may be
          sent with any of its rows.
        </p>
        <Table
          label="Columns and fields of an order row"
          head={['Column', 'Field', 'Header', 'Kind', 'Belongs to', 'What it is']}
          rows={FIELD_ROWS}
        />
      </Section>
      <Section id="values" title="How values are read">
        <ul>
          <li>
            A cell is text, a number, true, false or null. Null and blank text are blank, and a blank cell
            never erases what is stored.
          </li>
          <li>
            Send ids as text. A whole number beyond 9007199254740991 is refused in any member, even an unknown
            one, because its last digits are already lost.
          </li>
          <li>
            <code>sale_date</code> is read in New York time, unless it has an offset, and stored in UTC. Its
            forms are listed <a href="#dates">below</a>.
          </li>
          <li>
            Amounts have a decimal point: <code>12.00</code>, <code>$1,234.50</code>, <code>-3</code>.{' '}
            <code>12,00</code> is refused rather than read as 1200. Text keeps up to four decimals; a number
            is rounded to cents.
          </li>
          <li>
            <code>currency</code> is an ISO 4217 code in upper or lower case, or a sign or name of exactly one
            currency: <code>£</code>, <code>€</code>, <code>US$</code>, <code>Euro</code>. <code>$</code> is
            the sign of many currencies. Text that names no single currency is stored with a warning, and so
            are two currencies in one order; such amounts are left out of all sums.
          </li>
          <li>
            A tracking number that cannot be one (<code>n/a</code>, <code>-</code>, several in one cell)
            creates no shipment, only a warning.
          </li>
          <li>
            <code>shipped_indicator</code> that is blank, <code>0</code>, <code>false</code>, <code>no</code>{' '}
            or <code>n</code> means not shipped. Any other value that is not a date is stored as text, with a
            warning, as in <code>sold_on</code>.
          </li>
          <li>
            An unknown country is stored as text. HTML entities are decoded in arrays, not in named rows.
          </li>
          <li>
            Receipt ids that differ only in <code>#</code>, spaces or a <code>.0</code> that a spreadsheet
            added are the same order, with a warning. There are also warnings for ids that look rounded or
            converted to a date, and for postal codes and SKUs that may have lost leading zeros.
          </li>
          <li>Warnings do not stop an import. They are listed with the import in the back office.</li>
        </ul>
      </Section>
      <Section id="dates" title="Dates">
        <Table
          label="Forms of sale_date"
          head={['Written', 'Means', 'Stored']}
          rows={DATE_EXAMPLES.map(([text, meaning, instant]) => ({
            key: text,
            cells: [<code key="text">{text}</code>, meaning, <code key="instant">{instant}</code>],
          }))}
        />
        <p>
          Any other form is refused:{' '}
          {REFUSED_DATES.map((text, index) => (
            <span key={text}>
              {index > 0 ? ', ' : ''}
              <code>{text}</code>
            </span>
          ))}
          .
        </p>
      </Section>
      <Section id="again" title="Sending rows again">
        <p>
          An order is identified by its account and <code>receipt_id</code>, an item by its{' '}
          <code>transaction_id</code>, so the same file can be sent daily. <code>new_orders</code> counts
          orders created, <code>updated_orders</code> those in the request that already existed, changed or
          not, and <code>order_items_inserted</code> new items. Statuses only move forward: an old file does
          not move an order back.
        </p>
        <p>
          By default, a request may contain up to 50,000 rows and be up to 64 MiB; the{' '}
          <a href="/docs/api/openapi.json">OpenAPI document</a> states the limits of this deployment. Split
          larger imports into several requests, and give each an{' '}
          <a href="/docs/api/guides/errors#idempotency">Idempotency-Key</a>.
        </p>
      </Section>
    </>
  );
}
