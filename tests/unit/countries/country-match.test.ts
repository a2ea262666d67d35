import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCountryName } from '../../../src/server/countries/match';

type Row = Record<string, string>;
const readText = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const readTable = <T extends Row>(path: string): T[] =>
  parse<T>(readText(path), { columns: true, bom: true });

const countries = readTable<{ code: string; name: string }>('prisma/reference/countries.csv');
const aliases = readTable<{ alias: string; code: string }>('prisma/reference/country-aliases.csv');

/**
 * The codes of the reference files' countries by the forms that import.sql looks up: folded names, aliases and codes. `NA`
 * means "not available", never Namibia. No two countries have a form in common (tested below), so the order does not matter.
 */
const codeByForm = new Map([
  ...aliases.map(({ alias, code }) => [foldCountryName(alias), code] as const),
  ...countries.filter(({ code }) => code !== 'NA').map(({ code }) => [code.toLowerCase(), code] as const),
  ...countries.map(({ code, name }) => [foldCountryName(name), code] as const),
]);
const findCode = (name: string): string | null => codeByForm.get(foldCountryName(name)) ?? null;

/** ISO 3166-1 alpha-2, all 249 codes, written out here so that the file under test does not confirm itself. */
const ISO_CODES = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO
  FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
  JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO
  MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW
  PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
  TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`
  .trim()
  .split(/\s+/);
const MARKETPLACE_CODES = ['AN', 'CS', 'XK'];

describe('the reference files', () => {
  it('name every ISO code and the three codes that only the marketplace uses, and no other', () => {
    expect(ISO_CODES).toHaveLength(249);
    expect(countries.map((row) => row.code).sort()).toEqual([...ISO_CODES, ...MARKETPLACE_CODES].sort());
    expect(countries.filter((row) => foldCountryName(row.name) === '')).toEqual([]);
  });

  it('give every alias to a country that is listed', () => {
    const codes = new Set(countries.map((row) => row.code));
    expect(aliases.filter((row) => !codes.has(row.code))).toEqual([]);
  });

  it('hold each folded name, code or alias once, so that none is ambiguous and none is redundant', () => {
    const forms = [
      ...countries.flatMap(({ code, name }) => [
        { form: foldCountryName(name), code },
        { form: foldCountryName(code), code },
      ]),
      ...aliases.map(({ alias, code }) => ({ form: foldCountryName(alias), code })),
    ];
    const seenForms = new Map<string, string>();
    const duplicates = forms.filter(({ form, code }) => seenForms.has(form) || !seenForms.set(form, code));
    expect(duplicates).toEqual([]);
  });

  it('give every country exactly one three-letter alias, apart from known abbreviations', () => {
    const abbreviations = ['DRC', 'KSA', 'PRC', 'RSA', 'U.K', 'U.S', 'UAE'];
    const threeLetterAliases = aliases.filter(
      (row) => /^[A-Z]{3}$/.test(row.alias) && !abbreviations.includes(row.alias),
    );
    expect(threeLetterAliases.map((row) => row.code).sort()).toEqual(countries.map((row) => row.code).sort());
  });

  it('list the five categories in their order', () => {
    expect(readTable('prisma/reference/categories.csv')).toEqual(
      ['head', 'body', 'hair', 'leg', 'brick'].map((name, i) => ({ position: String(i + 1), name })),
    );
  });
});

describe('the folded forms find', () => {
  const fixtureRows = readTable('tests/fixtures/country-aliases.csv');

  it.each(fixtureRows)('what the marketplace calls $marketplace_name as $iso2', (row) => {
    expect(findCode(row.marketplace_name ?? '')).toBe(row.iso2);
  });

  it.each(fixtureRows.filter((row) => row.iso_short_name))('the ISO name $iso_short_name as $iso2', (row) => {
    expect(findCode(row.iso_short_name ?? '')).toBe(row.iso2);
  });

  it.each([
    ['us', 'Ship Country', 40, ['US']],
    ['uk', 'Delivery Country', 30, ['AU', 'ES', 'GB', 'US']],
  ])('every country of the %s sold order export', (file, header, rowCount, codes) => {
    const path = `tests/fixtures/sold-order-items-${file}.csv`;
    const [headerRow, ...rows] = parse(readText(path), { bom: true, skip_empty_lines: true });
    expect(headerRow?.[23]).toBe(header);
    expect(rows).toHaveLength(rowCount);
    expect([...new Set(rows.map((row) => findCode(row[23] ?? '')))].sort()).toEqual(codes);
  });

  it.each([
    ['Türkiye', 'TR'],
    ['Turkiye', 'TR'],
    ['Czechia', 'CZ'],
    ['North Macedonia', 'MK'],
    ['Eswatini', 'SZ'],
    ["Côte d'Ivoire", 'CI'],
    ['Macau', 'MO'],
    ['South Korea', 'KR'],
  ])('the modern name %s as %s (docs/orders.md)', (name, code) => {
    expect(findCode(name)).toBe(code);
  });

  it.each([
    ['Burma', 'MM'],
    ['Holland', 'NL'],
    ['Great Britain', 'GB'],
    ['England', 'GB'],
    ['UK', 'GB'],
    ['USA', 'US'],
    ['Korea, South', 'KR'],
    ['Republic of Korea', 'KR'],
    ['Hong Kong SAR', 'HK'],
    ['Trinidad & Tobago', 'TT'],
    ['St. Lucia', 'LC'],
    ['Congo', 'CG'],
    ['DR Congo', 'CD'],
  ])('the common form %s as %s', (name, code) => {
    expect(findCode(name)).toBe(code);
  });

  it('every stored name and alias, and every two-letter code but NA', () => {
    for (const { code, name } of countries) expect(findCode(name), name).toBe(code);
    for (const { code, alias } of aliases) expect(findCode(alias), alias).toBe(code);
    for (const { code } of countries) if (code !== 'NA') expect(findCode(code), code).toBe(code);
  });

  it.each([
    ['case', 'uNITED kINGDOM', 'GB'],
    ['Turkish capitals', 'TÜRKİYE', 'TR'],
    ['outer, doubled and no-break spaces', ' \tUnited\u00A0 States\r\n', 'US'],
    ['a typographic apostrophe', 'Côte d\u2019Ivoire', 'CI'],
    ['an acute accent typed for an apostrophe', 'Cote d\u00B4Ivoire', 'CI'],
    ['decomposed accents', 'Re\u0301union', 'RE'],
    ['no accents', 'ALAND ISLANDS', 'AX'],
    ['an ampersand without spaces', 'Bosnia&Herzegovina', 'BA'],
    ['a no-break hyphen', 'Timor\u2011Leste', 'TL'],
    ['full-width letters', 'ＳＰＡＩＮ', 'ES'],
  ])('a name in another spelling: %s', (_, name, code) => {
    expect(findCode(name)).toBe(code);
  });
});

describe('the folded forms find nothing for', () => {
  it.each([
    '',
    '   ',
    'Atlantis',
    'Unite',
    'United',
    'United States, maybe',
    'Korea',
    'Virgin Islands',
    'ZZ',
    '?',
  ])('%j, which names no country or more than one', (name) => expect(findCode(name)).toBeNull());

  it.each(['NA', 'na', 'n/a'])('%j, which means "not available" and not Namibia', (name) => {
    expect(findCode(name)).toBeNull();
  });
});

describe('foldCountryName', () => {
  it('changes nothing in a name that is already folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const foldedName = foldCountryName(text);
        expect(foldCountryName(foldedName)).toBe(foldedName);
      }),
    );
  });

  it('keeps marks that form another letter in other scripts', () => {
    expect(foldCountryName('が')).not.toBe(foldCountryName('か'));
  });
});
