import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesIn } from '../../../scripts/queries';

const SERVER = path.resolve('src/server');
const FOLDERS = ['countries', 'orders', 'overview', 'shops'];
const SHOP_TABLES =
  'import_changes|import_drafts|import_issues|imports|order_days|order_items|order_notes|order_search|orders|shipments';
const USES = new RegExp(String.raw`\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:${SHOP_TABLES})\b`);

/** The statements that work on the records of all shops, or find out which shop's a record is. All others name their shop. */
const FAN_OUTS = [
  // Which shop is it?
  'change.findNote',
  'history.readImport',
  'tracking-status.findShopsOfOrders',
  'undo.findImport',
  // Lists and counts over all shops.
  'countries.listNames',
  'countries.listUnmatched',
  'countries.listUnmatchedNames',
  'drafts.listDrafts',
  'shops.listShops',
  // Upkeep of all shops.
  'drafts.deleteOldDrafts',
  'search.findWaitingShop',
  'tracking-numbers.forgetTrackingNumber',
];

it('every statement on the records of shops names its shop, except a short list', async () => {
  const withoutShop: string[] = [];
  for (const file of (await filesIn(SERVER, /[.]sql$/)).filter((name) => FOLDERS.includes(name.split('/')[0]!))) {
    const text = await readFile(path.join(SERVER, file), 'utf8');
    for (const [, name, statement] of text.matchAll(/\/\* @name (\w+) \*\/([\s\S]*?)(?=\/\* @name|$)/g)) {
      if (USES.test(statement!) && !statement!.includes(':shopId'))
        withoutShop.push(`${path.basename(file, '.sql')}.${name}`);
    }
  }
  expect(withoutShop.sort()).toEqual([...FAN_OUTS].sort());
});

it('locks rows in statements that write nothing', async () => {
  for (const file of (await filesIn(SERVER, /[.]sql$/)).filter((name) => FOLDERS.includes(name.split('/')[0]!))) {
    const text = await readFile(path.join(SERVER, file), 'utf8');
    for (const [, name, statement] of text.matchAll(/\/\* @name (\w+) \*\/([\s\S]*?)(?=\/\* @name|$)/g)) {
      if (/\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b|pg_advisory/.test(statement!))
        expect(statement, name).not.toMatch(/\b(?:INSERT INTO|DELETE FROM|UPDATE \w+ )/);
    }
  }
});
