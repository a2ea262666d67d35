import type { Reason, ReasonKey, Value } from './reason';
import { abridge } from './text';

/**
 * Every reason for which something is refused or doubted, with its English sentence; a name in braces stands for a value. REST
 * and the command line answer these sentences, and they are the English pages' texts too; messages/zh/reasons.json says the same
 * in Chinese. Sentences in lower case go on after the name of a field or a file.
 *
 * Imports and callbacks are stored with their reasons: a reason that is renamed or removed needs a migration of what is stored.
 *
 * Never loaded by pages: what they need of it comes as messages of the reader's language.
 */
export const REASONS = {
  cell: {
    plain: 'must be text, a number, true, false or null',
    id: 'must be text or a whole number',
    lostDigits: 'is a number beyond 2^53-1, whose last digits are lost; send it as text',
    rounded: '"{value}" looks like an id that a spreadsheet has rounded',
    dated: '"{value}" looks like an id that a spreadsheet has turned into a date',
    shortZip:
      '"{value}" has too few digits for a postal code of {country}; a spreadsheet may have dropped its leading zeros',
    lostZeros: '"{value}" may be the SKU "{sku}", whose leading zeros a spreadsheet drops',
    country: '"{value}" is no known country or alias; it is kept as text',
    noDate: '"{value}" is no date; it is kept as text',
    decimalsAdded: '"{value}" is read as {digits}; a spreadsheet adds such decimals',
    spelling: '"{value}" is taken for the order {receipt}, which another row writes as "{other}"',
    noCurrency:
      '"{value}" does not name one currency; it is kept as text, and the order\'s amounts are in no sum',
    currencies:
      '"{value}" is another currency than "{other}" of the receipt\'s first row; both are kept as text, and the order\'s amounts are in no sum',
    noShipment: '"{value}" {reason}. No shipment is made from it.',
    severalNumbers: 'holds several tracking numbers; enter them one by one',
    noTrackingNumber: 'is not a tracking number; it must be letters and digits, with at least one digit',
    date: 'must be a date such as 8/22/2026, 08/22/26 3:04 PM, 2026-08-22, 2-Jan 2026, an ISO time with an offset, or a spreadsheet day number',
    wholeRange: 'must be a whole number from {minimum} to {maximum}',
    amount: 'must be an amount',
    amountSuchAs: 'must be an amount such as 4.49, 1,234.50 or $5.00',
    decimals: 'must have at most four decimals',
    finite: 'must be a finite number',
    tooLarge: 'must be less than 1,000,000,000,000',
    extraName: 'is a name that cannot be kept; use at most {count} characters',
    noReceipt: 'is required: without it the row belongs to no order',
  },
  text: {
    long: 'must have at most {count} characters',
    short: 'must have at least {count} characters',
    empty: 'must not be empty',
    blank: 'must not be blank',
    zero: 'must not hold the character U+0000',
    surrogate: 'must be well-formed Unicode; it holds half a surrogate pair',
    storable: 'must be storable text: no U+0000, well-formed',
    storableShort: 'must be storable text',
    name: 'has a name that {reason}',
    depth: 'must not be nested deeper than {maximum}',
  },
  rows: {
    header: "must be the export's header row, an array, with excel_format true",
    otherExport:
      'is the header of another export. Download "Sold order items" (one row for each item, with Transaction ID and Date Paid), not "Sold orders"',
    buyer:
      'must be "Buyer": with excel_format true the first row is the export\'s header, whose third column is Buyer',
    array: 'must be an array of column values, as excel_format is true',
    object: 'must be an object with named fields or an array of column values',
    most: 'must have at most {count} rows; send the rest in further requests',
    noCell: 'there is no cell in row {row}, column {column}',
    tooLong: 'takes longer than {count} seconds to read. Send the rows in several requests.',
    tooMuchMemory: 'takes more memory than one file may. Send the rows in several requests.',
  },
  body: {
    encoding: 'The body is not UTF-8; send JSON in UTF-8.',
    json: 'The body is not JSON; send a JSON object.',
    object: 'The body must be a JSON object.',
    notAccepted: 'is not accepted here; leave it out',
    unknownField: 'is not a known field; leave it out',
    unknownFieldKnown: 'is not a known field; known are {names}',
    badName: 'is not accepted as a name; choose another',
    account: 'must refer to an existing account; none has the id {id}',
    accountId: 'must be the id of a shop account',
    invalid: 'The request is not valid.',
    pageState: 'is not what the pages send; leave the header out',
  },
  type: {
    idDraft: 'must be the id of a draft',
    idEvent: 'must be the id of an event',
    base64: 'must be the bytes of a file in base64',
    idImport: 'must be the id of an import',
    idProduct: 'must be the id of a product',
    idKey: 'must be the id of a key',
    idCategory: 'must be the id of a category',
    idOrder: 'must be the id of an order',
    idEntry: 'must be the id of an entry',
    idView: 'must be the id of a view',
    idUser: 'must be the id of a user',
    idToken: 'must be the id of a token',
    idShop: 'must be the id of a shop',
    idSession: 'must be the id of a session',
    idReply: 'must be the id of a reply',
    idRecord: 'must be the id of a record',
    idClient: 'must be the id of a client',
    idCall: 'must be the id of a call',
    exactLength: 'must have exactly {count} characters',
    fewItems: 'must have at least {count} entries',
    manyItems: 'must have at most {count} entries',
    above: 'must be more than {minimum}',
    below: 'must be less than {maximum}',
    multiple: 'must be a multiple of {count}',
    url: 'must be a URL such as https://shop.example',
    uuid: 'must be an id such as 7d8f8a52-6c0e-4b5e-9f3e-0a1b2c3d4e5f',
    form: 'must have the form that the documentation describes',
    kinds: 'must be {kinds}',
    oneOf: 'must be one of {names}',
    begins: 'must begin with {text}',
    ends: 'must end with {text}',
    contains: 'must contain {text}',
    duration: 'must be a span of time such as 90d, 12h, 30m or 2w',
    tenYears: 'must be at most ten years',
    filter: 'must be a filter as JSON',
    cursor: 'is not the cursor of a page of this list; begin anew',
    format: 'must be text or json',
  },
  service: {
    noDatabase: 'The database cannot be reached. Try again in a moment.',
    broken: 'An internal error happened. Its details are in the log under this request_id.',
    signedOut: 'You are not signed in, or no longer. Sign in again.',
    role: 'Your role, {role}, does not allow this.',
    trialTokensUsed:
      "All trials together may use {budget} tokens a day for replies, and today's are used up. Try again after midnight UTC, in {seconds} s, or have the budget raised.",
    trialTokensReserved:
      "All trials together may use {budget} tokens a day for replies, and the rest of today's is reserved for replies being written. Try again in {seconds} s.",
    bodyTooLarge: 'The body is larger than {count} bytes. Send it in several requests.',
    bodyTooDeep: 'The body is nested deeper than {maximum} levels. Send it flatter.',
    bodyLate: 'The body did not arrive within {seconds} s. Send it again without pausing.',
    bodySlow:
      'The body arrives too slowly: after {seconds} s it has to come at {rate} bytes a second. Send it again, or in several requests.',
    addressLimit:
      'Too many requests without a valid key or session have come from this address. Go on in {seconds} s.',
  },
  file: {
    empty: 'is empty. Choose the export that the marketplace made.',
    emptyCatalog: 'is empty. Choose a file with the columns category, code and name.',
    oldExcel:
      'is an old Excel file (.xls) or has a password. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.',
    pdf: 'is a PDF. Download the export as CSV instead.',
    webPage: 'is a web page. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.',
    noSpreadsheet:
      'is no spreadsheet. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.',
    noWorkbook:
      'is no Excel workbook. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.',
    encoding:
      'is in none of the encodings UTF-8, UTF-16 and GB18030 (seen first in line {line}). Open it where it was made and save it as CSV UTF-8.',
    lost: 'has lost characters (seen first in line {line}). Export it again, or put the right characters there.',
    quote:
      'has a quoted cell that never ends, in the row that begins in line {line}. Close its quote, or download the export again.',
    noRows: 'has no rows. Choose the export that the marketplace made.',
    noRowsCatalog: 'has no rows. Choose a file with the columns category, code and name.',
    noSheet: 'has no rows. Save the export in the first sheet of the workbook.',
    headerOnly: 'has a header and no rows below it.',
    tooManyRows: 'has {count} rows; at most {most} are taken. Split it into several files.',
    tooLarge: 'has {size}; at most {limit} are taken. Split it into several files.',
    unpacked: 'unpacks to more than {limit}. Split it into several files, or save it as CSV UTF-8.',
    damaged: 'is damaged or incomplete. Save or download it again.',
    tooLong:
      'takes longer than {count} seconds to read. Split it into several files, or save it as CSV UTF-8.',
    tooMuchMemory:
      'takes more memory than one file may. Split it into several files, or save it as CSV UTF-8.',
    uploads: 'You are uploading {count} files already. Wait until one of them is read, then send this one.',
    stray:
      'spans {rows} rows and {columns} columns. Delete the stray cells beside or below the table, or save it as CSV UTF-8.',
    manyErrors:
      'holds an error such as #REF! in {cells} and {count} more. Fix or clear it and save the file again.',
    errors: 'holds an error such as #REF! in {cells}. Fix or clear it and save the file again.',
    manyFormulas:
      'holds formulas without their results in {cells} and {count} more. Open it in a spreadsheet program and save it again.',
    formulas:
      'holds formulas without their results in {cells}. Open it in a spreadsheet program and save it again.',
    unreadable:
      'cannot be read as a workbook. Open it in a spreadsheet program and save it again as .xlsx or as CSV UTF-8.',
    notWorkbook: 'is called .xlsx and is no workbook. Save it as .xlsx or .csv in a spreadsheet program.',
  },
  fileHeader: {
    row: '{name}: The first row {reason}.',
    column: "{name}: The header's column {column} {reason}.",
  },
  import: {
    stale:
      'Orders of this file have changed since the preview, and nothing was imported. Look at the new preview, then import.',
    interrupted:
      'The import was interrupted before it was complete; nothing of it is stored. Start it again.',
    noRow: 'No row of this file can be imported. Fix its cells first.',
    noRejected: 'No row of this file is rejected.',
    running: 'This file is being imported.',
    done: 'This file has been imported already.',
    changed: 'This file was changed meanwhile. Load it again, then fix it.',
    noDraft: 'You have no such draft; drafts are kept for a week.',
    noDatabase:
      'The database could not be reached. Send the same rows again: what is imported twice is not doubled.',
    logged: 'An internal error; the log has the details under this request_id. Nothing was imported.',
    broken: 'An internal error happened; nothing was imported.',
    held: 'held back: {reason}',
    thisFile: 'This file {reason}',
  },
  csv: {
    noColumn: 'is no column here; the columns are {columns}',
    twice: 'is a column twice',
    missing: 'is missing in the header, which must name {columns}',
    beyond: 'stands beyond the columns of the header',
    noRows: 'has no rows below its header',
    large: 'must have at most 1 MiB',
    required: 'is required',
    least: 'must be at least {minimum}',
    most: 'must be at most {maximum}',
    whole: 'must be a whole number',
    number: 'must be a number',
    day: 'must be a calendar day, YYYY-MM-DD',
    sameDay: 'stands in line {line} already',
    json: 'must be a JSON object',
    ownName: 'must not hold __proto__; choose another name',
    ownColumn: 'must not hold {name}, which is a column',
    extra: 'The additional members of a row, those stored included, may have at most {count} bytes',
  },
  catalog: {
    twice: 'stands twice in the file; each code belongs to one product',
    archivedCode: 'is the code of an archived product; restore that one, or choose another code',
    codeTaken: 'is the code of another product; choose another',
    noCategory: 'must be a category; none has the id {id}',
    categoryTaken: 'is the name of another category; choose another',
    listed: 'cannot be changed: GET {path} serves the category of this name',
    order: 'must name each of the {count} categories once; read them again, as they may have changed',
  },
  order: {
    unknown: 'the shop has no order {receipt}',
    noRows: 'needs at least one row',
    manyRows: 'takes at most {count} rows at once',
    noTrackingNumber: 'The order has no tracking number {number}.',
    notRemoved: 'Nobody has removed the tracking number {number} from this order.',
    afterCursor: 'after: is no place in this list; begin with the first page.',
  },
  shop: {
    archivedTaken: 'is taken by account {id}, which is archived; choose another',
    taken: 'is taken by account {id}; choose another',
    formerName:
      'was the name of account {id}, and requests that use it still reach that shop; choose another',
    twoPrompts: 'is a name with a prompt of its own, and this shop has one already; choose another',
    currency: 'must be a currency code of ISO 4217, such as USD or GBP',
    timeZone: 'must be a time zone such as America/New_York or Europe/London',
  },
  country: {
    letters: 'must have a letter or a digit',
    means: 'means {country} already',
  },
  person: {
    email: 'must be an e-mail address',
    taken: 'is taken: a user with the e-mail {email} exists already',
    common: 'is one that is tried first; take another, best four unrelated words',
    password: 'does not match your password',
    confirm: 'Confirm with your password that it is you.',
    noPassword: 'You have no password here. Sign out and sign in again through your organisation.',
    notOneself:
      'This is for other people. Change your own password and second factor under Account & security.',
    attempts: 'Too many attempts. Try again in {seconds} s.',
    code: 'is not right; take the newest code of the app',
    ownersOnly: 'Only an owner can make owners and change them.',
    ownersRequire: 'Only an owner can require two-factor sign-in.',
    lastOwner: '{email} is the last owner. Make somebody else an owner first.',
  },
  key: {
    future: 'must be in the future',
    notLater: "must not be later than it is already, as key {id} has taken this one's place",
    operation: 'must be the name of an operation, such as get_api_legos_head',
    address: 'must be an address or a range such as 10.0.0.0/8',
    operations: 'must name at most {count} operations',
    ranges: 'must name at most {count} ranges',
    time: 'must be an ISO 8601 time such as 2027-01-31T00:00:00Z',
    year: 'must be in a year up to 9999',
    hours: 'must be a number of hours',
    range: 'must be from {minimum} to {maximum}',
    wholeDays: 'must be a whole number of days',
    oneDay: 'must be at least one day',
    days: 'must be at most {count} days',
    cannotRotate: 'API key {id} cannot be rotated: {reason}',
    revoked: 'it is revoked. Make a new key.',
    replaced: 'key {id} has taken its place already. Rotate that one.',
    expired: 'it has expired. Make a new key.',
    grace: 'The grace must be from 0 to {maximum} hours.',
  },
  client: {
    whole: 'must be a whole URL in ASCII',
    fragment: 'must not have a fragment',
    exact: 'must be one exact address, without *',
    user: 'must not have a user name or password',
    http: 'must use http: for an address on the same machine',
    https: 'must use https: unless it leads to the same machine',
    scheme: 'must use https:, or a private-use scheme such as com.example.app:',
    publicOnly: 'may have a private-use scheme in a public client only',
    few: 'must have at least one address',
    many: 'must have at most {count} addresses',
  },
  prompt: {
    none: 'has no prompt; save a draft first',
    messages: 'must have at most {count} messages',
    live: 'is the version that is live',
    wasLive: 'has been live before; roll back to it',
    neverLive: 'is a draft that was never live; publish it',
    unpublished: 'no prompt is published for a shop of this name; "prompt list" shows those that are',
  },
  callback: {
    noNumber: 'an entry has no usable tracking_number',
    unknown: 'unknown status "{value}"',
    noStatus: 'the entry has no status',
    empty: 'the event says nothing',
    unreadableTime:
      'the time {value} cannot be read; send ISO 8601, or Unix seconds or milliseconds as a number',
    noSuchTime: 'the time {value} does not exist',
    timeRange: 'the time {value} is not between 2000 and 2099',
    noTrackInfo: 'it has no track_info',
    gone: 'There is no such callback; old ones are deleted after a while.',
    notAskable: 'This is no number that a carrier takes: 4 to 50 of A-Z, 0-9 and -.',
    noForm: 'neither the 17TRACK v2 webhook nor the plain form: data has neither number nor tracking_number',
  },
  input: {
    day: 'must be a day such as 2026-08-22',
    month: 'must be a month, YYYY-MM',
    beforeFrom: 'must not be before from',
    beforeFirst: 'must not be before the first day',
    within: 'must be within {count} days of the first',
    daysFrom: 'must be at most {count} days from the first day',
    monthsFrom: 'must be at most {count} months from the first',
    once: 'must be given once',
    digits: 'must be a whole number in decimal digits',
    below: 'must be a row below the header',
    countryCapitals: 'must be a country code of two capitals',
    country: 'must be a country code',
    list: 'must be the name of a list, such as orders',
    fingerprint: 'must be the fingerprint of the preview',
  },
  answer: {
    noOrders: 'There is no order with the id {id}.',
    noNote: 'You have no note with the id {id}.',
    noToken: 'You have no token with the id {id}.',
    noOrder: 'No order has the id {id}.',
    noCategory: 'No category has the id {id}.',
    noProduct: 'No product has the id {id}.',
    noShop: 'No shop has the id {id}.',
    noAccount: 'No account has the id {id}.',
    noImport: 'No import has the id {id}.',
    noView: 'No view has the id {id}.',
    noUser: 'No user has the id {id}.',
    noEmail: 'No user has the e-mail {email}.',
    noKey: 'No API key has the id {id}. "api-key list" shows them.',
    noClientInUse: 'No client that is in use has the id {client}.',
    noClient: 'No client has the id {client}. "oauth-client list" shows them.',
    noCountry: 'No country has the code {code}.',
    noAlias: '{code} has no such alias.',
    noRecord: 'There is no such record {id}; old ones are deleted after a while.',
    noReply: 'There is no such reply.',
    noVersion: 'There is no such version of a prompt.',
    noSession: 'There is no such session, or it is over already.',
    noParcel: 'There is no parcel with this number.',
    noProcedure: 'There is no such procedure.',
    noDownload: 'There is no such download.',
    noMapping: 'This word is not mapped.',
    undone: 'This import is undone already.',
    nothingStored: 'This import has stored nothing that could be undone.',
    otherView: 'This view belongs to another person. Save one of your own.',
    noConsent: 'You have not let this tool use your account, or no longer.',
    keyRevoked: 'API key {id} is revoked; only its name can be changed.',
    busy: 'Too many people sign in at once. Try again in a moment.',
    accountChanged: 'The account has changed in this moment. Sign in again.',
    twoFactorOn: 'Two-factor sign-in is on already. Turn it off first.',
    twoFactorBegin: 'Begin the setup of two-factor sign-in first.',
    twoFactorOff: 'Two-factor sign-in is not on.',
    twoFactorStays: 'An owner requires two-factor sign-in of you, so it stays on.',
    twoFactorFirst: 'Set up two-factor sign-in first; an owner requires it of you.',
    signIn: 'Sign in first.',
    otherSite: 'Pages of other sites may not call this.',
    unreadable: 'The call cannot be read. Send its input as JSON, as tRPC does.',
    tooLarge: 'The body is too large. Send it in several requests.',
  },
  join: {
    more: '{reason} (and {count} more)',
    at: '{path}: {reason}',
    named: '{name} {reason}',
  },
  kind: {
    text: 'text',
    number: 'a number',
    whole: 'a whole number',
    list: 'a list',
    object: 'an object',
    oneOf: 'one of {names}',
  },
  request: {
    idempotencyKey: 'must be 1 to 255 visible ASCII characters',
    idempotencyReused: 'was used for another body within 24 hours; take a new one for a new request',
    stillRunning: 'The same request is still running. Ask again in a moment.',
    answeredMeanwhile: 'The same request was answered meanwhile.',
    keyLimit: 'This key may make {count} requests a minute. Go on in {seconds} s.',
    keyTokensUsed:
      "This key may use {budget} tokens a day for replies, and today's are used up. Try again after midnight UTC, in {seconds} s, or have the budget raised.",
    keyTokensReserved:
      "This key may use {budget} tokens a day for replies, and the rest of today's is reserved for replies being written. Try again in {seconds} s.",
    noBearer: 'The header Authorization: Bearer ACCESS_TOKEN is missing.',
    jsonType: 'Send the body as Content-Type: application/json, in UTF-8.',
    jsonBody: 'Send the body as application/json.',
    noEncoding: 'Send the body without Content-Encoding.',
    noPathDocumented: 'There is no such path. /docs/api/openapi.json lists all of them.',
    noPath: 'There is no such path.',
    method: 'Use {methods} for this path.',
    noKey: 'The header X-Api-Key is missing. Make a key with "npm run -s cli -- api-key create --name NAME".',
    badKey: 'The X-Api-Key is not valid: unknown, expired or revoked.',
    keyAddress: 'This API key may not be used from {address}.',
    largeHeaders: 'The headers are larger than 16 KiB together. Send fewer or shorter ones.',
    late: 'The request did not arrive in time. Send it again without pausing.',
    notHttp: 'This is not a valid HTTP/1.1 request. Correct its sender.',
    noUpgrade: 'Only HTTP/1.1 is spoken here. Leave the header Upgrade out.',
    expect: 'Leave the header Expect out, or send 100-continue.',
    noProxy: 'Use GET, HEAD or POST; this is no proxy.',
    fileType: 'Send the file as it is, as application/octet-stream.',
    fileEncoding: 'Send the file without Content-Encoding.',
    scope:
      'The scopes of this API key do not allow {operation}. Take another key, or have its scopes changed.',
    badBearer: 'The bearer token is not valid: unknown, expired or revoked.',
    clientToken: 'This token stands for a client and for no person. Get one by the authorization code flow.',
    tokenScope: 'The token lacks the scope {scope}.',
    origin: 'Pages of this origin may not call. CORS_ORIGINS lists those that may.',
    messageSize: 'Beside the arguments of an import a message has at most {count} bytes.',
    keyRequired: 'A valid X-Api-Key header is required.',
    bearerRequired: 'A valid bearer token is required.',
    notCallable: 'This cannot be called.',
    notAllowed: 'This is not allowed.',
    queryOrMutation: 'Call queries with GET and mutations with POST.',
    signature: 'The header sign does not verify the body.',
    signInAgain: 'Sign in again.',
    clientRevoked: 'The client is revoked.',
    staleForm: 'The form is not valid any more. Go back and reload the page.',
    askedTooOften: 'This address has asked too often. Try again later.',
  },
  reply: {
    refused:
      'The text provider refused the request. Whoever runs this service should check OPENAI_API_KEY, OPENAI_MODEL and the quota.',
    unreachable: 'The text provider cannot be reached. Try again in a moment.',
    broken: 'The text provider failed, or answered with what is no reply. Try again in a moment.',
    timeout: 'The text provider was too slow. Try again, or raise OPENAI_TIMEOUT_MS.',
    declined: 'The text provider would not write a reply to this conversation. Write one by hand.',
    cutOff:
      'The reply was cut off before its end, so it is not given. Try again with a shorter conversation.',
    empty: 'The text provider wrote an empty reply. Try again.',
    notConfigured:
      'No text provider is configured. Whoever runs this service should set OPENAI_API_KEY and start it again.',
  },
  tracking: {
    orderOrNumber: 'is required, or tracking_number in its place',
    unknownNumber: 'Nothing is known of waybill {number}.',
    unknownOrder: 'Nothing is known of order {id}.',
    unknownPair: 'Nothing is known of order {id} with waybill {number}.',
    notSetByPerson: 'No such status was set by a person, or it was taken back already.',
  },
  carrier: {
    notConfigured:
      'No carrier is configured on this service. Its operator has to set the carrier and its key.',
    refused:
      'The carrier refused the question. The operator of this service has to look at its carrier account.',
    broken: 'The carrier gave no usable answer. Try again later.',
    limited: 'The carrier answers no more questions for now. Try again later.',
    timeout: 'The carrier did not answer in time. Try again later.',
    crowded: 'Too many carrier questions are waiting. Try again in a moment.',
    down: 'The carrier has failed several times in a row and is left alone for a moment. Try again later.',
  },
  view: {
    tooMany: 'is one too many: remove one of your {count} views',
    nameTaken: 'is the name of another view of yours; choose another',
  },
} as const;

type Texts = { readonly [G in keyof typeof REASONS]: { readonly [N in keyof (typeof REASONS)[G]]: string } };

/** The table as texts of English pages. */
export const ENGLISH_REASONS: Texts = REASONS;

/** The sentences by their keys. */
const SENTENCES = new Map<string, string>(
  Object.entries(REASONS).flatMap(([group, sentences]) =>
    Object.entries(sentences).map(([name, sentence]) => [`${group}.${name}`, sentence] as const),
  ),
);

/** How much of a sentence is said, in characters: it may quote what was sent. */
const LONGEST_SENTENCE = 1_000;

/** `a, b or c`. */
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Every key of the table. */
export const REASON_KEYS = [...SENTENCES.keys()] as ReasonKey[];

function textOf(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value === undefined) return '';
  return 'reason' in value ? sentenceOf(value) : ALTERNATIVES.format(value.map(textOf));
}

/**
 * The English sentence of a reason, at most 1,000 characters of it. A key that the table does not have, which only a stored reason
 * of another version can carry, stands for itself.
 */
export function sentenceOf({ reason, values }: Reason): string {
  const sentence = SENTENCES.get(reason) ?? reason;
  const text = sentence.replace(/\{(\w+)\}/g, (_, name: string) => textOf(values[name]));
  return abridge(text, LONGEST_SENTENCE);
}
