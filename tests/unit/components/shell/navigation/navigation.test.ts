import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesFor, NAVIGATION, pageAt } from '../../../../../src/components/shell/navigation/navigation';
import { listBackOfficePages } from '../../../../support/back-office-pages';

const idsOf = (pages: readonly { id: string }[]) => pages.map(({ id }) => id);
const areaOf = (role: 'owner' | 'operator' | 'viewer', areaId: string) =>
  entriesFor(role).find(({ id }) => id === areaId)!;

describe('the navigation', () => {
  it("has its entries in the order of a day's work", () => {
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

  it('lists no page twice', () => {
    const paths = NAVIGATION.flatMap((entry) => entry.pages ?? [entry]).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  const folderByPath = new Map(listBackOfficePages().map((page) => [page.path, page.folder]));
  // The queues are one page, which shows the links itself.
  const pagesOfAreas = NAVIGATION.filter(({ id }) => id !== 'queues').flatMap(({ id, pages = [] }) =>
    pages.map((page) => [page.path, id] as const),
  );

  it.each(pagesOfAreas)(
    'leads to %s, whose layout shows the links to the pages of the area %s',
    (pagePath, area) => {
      const folder = folderByPath.get(pagePath);
      expect(
        folder,
        `There is no page.tsx for ${pagePath} in src/app/(back-office)/[prefix]/(shell)`,
      ).toBeDefined();
      const layoutsOf = (current: string): string[] =>
        ['(shell)', '[prefix]'].includes(path.basename(current))
          ? []
          : [path.join(current, 'layout.tsx'), ...layoutsOf(path.dirname(current))];
      const layouts = layoutsOf(folder!).filter((file) => existsSync(file));
      expect(
        layouts.some((file) => readFileSync(file, 'utf8').includes(`<AreaLinks area="${area}"`)),
        `${path.relative('.', folder!)} needs a layout.tsx with <AreaLinks area="${area}" />, in this folder or one above it`,
      ).toBe(true);
    },
  );
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
