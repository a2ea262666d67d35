/** What can be wrong with a file or rows that are imported. */
export const IMPORT_REASONS = {
  cell: {
    plain: 'must be text, a number, true, false or null',
    id: 'must be text or a whole number from 0',
    lostDigits: 'is a number beyond 2^53-1, whose last digits are lost; send it as text',
    rounded: '"{value}" looks like an id that a spreadsheet has rounded',
    dated: '"{value}" looks like an id that a spreadsheet has turned into a date',
    shortZip:
      '"{value}" has too few digits for a postal code of {country}; a spreadsheet may have dropped its leading zeros',
    lostZeros: '"{value}" may be the SKU "{sku}"; a spreadsheet may have dropped its leading zeros',
    country: '"{value}" is not a known country or alias; it is kept as text',
    noDate: '"{value}" is not a date; it is kept as text',
    decimalsAdded: '"{value}" is read as {digits}; a spreadsheet adds such decimals',
    spelling: '"{value}" is read as order {receipt}; another row writes it as "{other}"',
    noCurrency:
      '"{value}" is not a known currency, or could be several; it is kept as text, and the order is left out of totals',
    currencies:
      '"{value}" differs from "{other}" in the order\'s first row; both are kept as text, and the order is left out of totals',
    noQuantity: 'is 0: the item is imported, but counts as not sold',
    noShipment: '"{value}" creates no shipment: {reason}',
    severalNumbers: 'contains several tracking numbers; enter them one by one',
    noTrackingNumber: 'must be letters and digits, with at least one digit, and not only zeros',
    date: 'must be a date from 1900 to 2199, such as 8/22/2026, 08/22/26 3:04 PM, 2026-08-22, 2-Jan 2026, an ISO time with an offset, or a spreadsheet day number',
    wholeRange: 'must be a whole number from {minimum} to {maximum}',
    amount: 'must be an amount',
    amountSuchAs: 'must be an amount such as 4.49, 1,234.50 or $5.00',
    decimals: 'must have at most four decimals',
    finite: 'must be a finite number',
    tooLarge: 'must be less than 1,000,000,000,000',
    extraName: 'cannot be stored as a name; use at most {count} characters',
    extraSize: 'may take up at most {count} bytes; leave out unknown fields that you do not need',
    extraFull:
      'would take up more than {count} bytes with what the item already has, so the unknown fields of this row are not stored; leave out those that you do not need',
    noReceipt: 'is required: without it the row belongs to no order',
  },
  rows: {
    header: "must be the export's header row as an array, because excel_format is true",
    otherExport:
      'is the header of another export. Download "Sold order items" (one row for each item, with Transaction ID and Date Paid), not "Sold orders"',
    buyer:
      'must be "Buyer": with excel_format true the first row is the export\'s header, whose third column is Buyer',
    array: 'must be an array of column values, as excel_format is true',
    object: 'must be an object with named fields or an array of column values',
    most: 'must have at most {count} rows; send the rest in further requests',
    noCell: 'there is no cell in row {row}, column {column}',
    tooLong: 'takes longer than {count} s to read. Send the rows in several requests.',
    tooMuchMemory: 'needs more memory than one request may use. Send the rows in several requests.',
  },
  file: {
    empty: "is empty. Choose the marketplace's export file.",
    emptyCatalog: 'is empty. Choose a file with the columns category, code and name.',
    oldExcel:
      'is an old Excel file (.xls) or has a password. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.',
    pdf: 'is a PDF. Download the export as CSV instead.',
    webPage: 'is a web page. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.',
    noSpreadsheet:
      'is not a spreadsheet. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.',
    noWorkbook:
      'is not an Excel workbook. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.',
    encoding:
      'is not encoded in UTF-8, UTF-16 or GB18030 (first seen on line {line}). Open it in the program that made it and save it as CSV UTF-8.',
    lost: 'has damaged characters, the first on line {line}. Export it again, or correct them.',
    quote:
      'has a quoted cell that never ends, in the row that begins on line {line}. Close the quote, or download the export again.',
    noRows: "has no rows. Choose the marketplace's export file.",
    noRowsCatalog: 'has no rows. Choose a file with the columns category, code and name.',
    noTracking: 'has no rows. Choose a file with the columns order number and tracking number.',
    noSheet: 'has no rows. Save the export in the first sheet of the workbook.',
    headerOnly: 'has a header and no rows below it. Choose a file that has rows.',
    tooManyRows: 'has {count} rows; the limit is {most}. Split it into several files.',
    tooLarge: 'is {size}; the limit is {limit}. Split it into several files.',
    unpacked: 'unpacks to more than {limit}. Split it into several files, or save it as CSV UTF-8.',
    damaged: 'is damaged or incomplete. Save or download it again.',
    tooLong: 'takes longer than {count} s to read. Split it into several files, or save it as CSV UTF-8.',
    tooMuchMemory:
      'needs more memory than one file may use. Split it into several files, or save it as CSV UTF-8.',
    uploads:
      'You are already uploading {count} files. Wait until one of them has been read, then send this one.',
    downloads:
      'You are already downloading {count} files. Wait until one of them is complete, then try again.',
    stray:
      'spans {rows} rows and {columns} columns. Delete the stray cells beside or below the table, or save it as CSV UTF-8.',
    manyErrors:
      'contains an error such as #REF! in {cells} and {count} more. Fix or clear it and save the file again.',
    errors: 'contains an error such as #REF! in {cells}. Fix or clear it and save the file again.',
    manyFormulas:
      'contains formulas without their results in {cells} and {count} more. Open it in a spreadsheet program and save it again.',
    formulas:
      'contains formulas without their results in {cells}. Open it in a spreadsheet program and save it again.',
    unreadable:
      'cannot be read as a workbook. Open it in a spreadsheet program and save it again as .xlsx or as CSV UTF-8.',
    notWorkbook:
      'has the extension .xlsx but is not an Excel workbook. Save it as .xlsx or .csv in a spreadsheet program.',
  },
  fileHeader: {
    row: '{name}: The first row {reason}.',
    column: "{name}: The header's column {column} {reason}.",
    otherFile:
      '{name}: This is not the marketplace\'s "Sold order items" export, whose third column is Buyer. Choose that export (.csv or .xlsx).',
    otherSheet:
      '{name}: The first sheet, the only one that is read, is not the marketplace\'s "Sold order items" export, whose third column is Buyer. Choose that export, or move its sheet to the front.',
  },
  import: {
    stale:
      'What the preview showed has changed, so nothing was imported. Look at the new preview, then import.',
    interrupted: 'The import was interrupted before it was complete; nothing was stored. Start it again.',
    disconnected:
      'The client disconnected before the rows had been read; nothing was stored. Send the import again.',
    noRow: 'No row of this file can be imported. Fix its cells first.',
    noRejected: 'No row of this file is held back.',
    running: 'This file is being imported. Wait until the import has finished.',
    done: 'This file has already been imported.',
    changed: 'This draft has been changed since you opened it. Reload the page, then make your change again.',
    noDraft: 'You have no such draft; drafts are kept for a week.',
    noDatabase: 'The database could not be reached. Import the same rows again: this creates no duplicates.',
    logged: 'Internal error; nothing was imported. Try again; the log has the details under the request_id.',
    broken:
      'An internal error occurred, and nothing was imported. Try again; if it keeps happening, tell your administrator.',
    held: 'held back: {reason}',
    thisFile: 'This file {reason}',
  },
  csv: {
    noColumn: 'is not a known column; the columns are {columns}',
    twice: 'appears twice in the header; remove one',
    missing: 'is missing from the header, which must name {columns}',
    beyond: 'is beyond the last column of the header; remove the cell, or add the column',
    noRows: 'has no rows below its header',
    large: 'must be at most 1 MiB',
    required: 'is required',
    least: 'must be at least {minimum}',
    most: 'must be at most {maximum}',
    whole: 'must be a whole number',
    number: 'must be a number',
    day: 'must be a calendar day, YYYY-MM-DD',
    sameDay: 'is already on line {line}',
    json: 'must be a JSON object',
    ownName: 'must not contain __proto__; choose another name',
    ownColumn: 'must not contain {name}, which is a column',
    extra:
      'The additional members of a row, including those already stored, may take up at most {count} bytes',
  },
} as const;
