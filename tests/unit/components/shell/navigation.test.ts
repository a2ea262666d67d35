import { describe, expect, it } from 'vitest';
import { entriesFor, NAVIGATION, pageAt } from '../../../../src/components/shell/navigation';

const idsOf = (pages: readonly { id: string }[]) => pages.map(({ id }) => id);
const areaOf = (role: 'owner' | 'operator' | 'viewer', areaId: string) =>
  entriesFor(role).find(({ id }) => id === areaId)!;

describe('the navigation', () => {
  it("has nine entries in the order of a day's work", () => {
    expect(idsOf(entriesFor('owner'))).toEqual([
      'overview',
      'orders',
      'queues',
      'tracking',
      'import',
      'messages',
      'statistics',
      'catalog',
      'settings',
    ]);
  });

  it('shows a role only those pages of an area that it may open, and links the area to the first of them', () => {
    expect(idsOf(areaOf('viewer', 'settings').pages!)).toEqual(['shops', 'countries']);
    expect(idsOf(areaOf('operator', 'import').pages!)).toEqual(['newImport', 'imports']);
    expect(areaOf('operator', 'import').path).toBe('/import');
    expect(idsOf(areaOf('viewer', 'import').pages!)).toEqual(['imports']);
    expect(areaOf('viewer', 'import').path).toBe('/imports');
  });

  it('has no page twice', () => {
    const paths = NAVIGATION.flatMap((entry) => entry.pages ?? [entry]).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('a path', () => {
  const pages = NAVIGATION.flatMap((entry) => entry.pages ?? [entry]);

  it.each([
    ['', 'overview'],
    ['/orders/12', 'orders'],
    ['/queues', 'to_ship'],
    ['/queues/exception', 'exception'],
    ['/import/5e2f', 'newImport'],
    ['/imports/1', 'imports'],
    ['/settings', 'system'],
    ['/settings/notifications', 'channels'],
    ['/keys/3', 'keys'],
  ])('%s belongs to the page %s', (path, id) => {
    expect(pageAt(pages, path)?.id).toBe(id);
  });

  it('/account belongs to no page of the navigation', () => {
    expect(pageAt(pages, '/account')).toBeUndefined();
  });
});
