import { LIST_QUERY, type PageQueries, SHOWS_OWN_ERROR, type Trpc } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { oneOf, readUrl, type UrlState } from '../ui/list/list-url';

type ImportPart = RouterOutputs['imports']['one']['part'];
type Preview = RouterOutputs['imports']['preview'];

/** The lists of an import, in the order of their tabs. */
export const IMPORT_PARTS: readonly ImportPart[] = ['issues', 'created', 'changes'];
/** The lists of a preview, in the order of their tabs. */
export const PREVIEW_PARTS: readonly Preview['part'][] = [
  'new',
  'updated',
  'unchanged',
  'rejected',
  'warnings',
];

/** Returns which list of an import or a preview the URL names. */
export const partOf = <Part extends string>(
  { filters }: UrlState<'part'>,
  parts: readonly Part[],
  defaultPart: Part,
): Part => oneOf(parts, filters.part) ?? defaultPart;

const pageOf = ({ cursor, rowsPerPage }: UrlState<'part'>) => ({ cursor, limit: rowsPerPage });

/** Returns how many entries a list of a preview has. */
export const countPreviewPart = ({ counts }: Preview, part: Preview['part']): number =>
  ({
    new: counts.new_orders,
    updated: counts.changed_orders,
    unchanged: counts.unchanged_orders,
    rejected: counts.bad_rows + counts.held_rows,
    warnings: counts.warnings,
  })[part];

/** Returns the list on which the page opens: the first one that has entries. */
export const firstPartOf = (preview: Preview): Preview['part'] =>
  PREVIEW_PARTS.find((part) => countPreviewPart(preview, part) > 0) ?? 'new';

export const importQuery = (trpc: Trpc, id: string, url: UrlState<'part'>) =>
  trpc.imports.one.queryOptions(
    { id, part: partOf(url, IMPORT_PARTS, 'issues'), ...pageOf(url) },
    LIST_QUERY,
  );

export const draftsQuery = (trpc: Trpc) => trpc.imports.drafts.queryOptions(undefined, SHOWS_OWN_ERROR);

export const draftQuery = (trpc: Trpc, id: string) =>
  trpc.imports.draft.queryOptions({ id }, SHOWS_OWN_ERROR);

export const draftResultQuery = (trpc: Trpc, importId: string) =>
  trpc.imports.one.queryOptions({ id: importId }, SHOWS_OWN_ERROR);

/** @param defaultPart the part to show unless the URL names another */
export const previewQuery = (
  trpc: Trpc,
  id: string,
  url: UrlState<'part'>,
  defaultPart: Preview['part'] = 'new',
) =>
  trpc.imports.preview.queryOptions(
    { id, part: partOf(url, PREVIEW_PARTS, defaultPart), ...pageOf(url) },
    LIST_QUERY,
  );

export const importPageQueries: PageQueries<{ id: string }> = ({
  trpc,
  search,
  rowsPerPage,
  parameters,
  load,
}) => load(importQuery(trpc, parameters.id, readUrl(['part'], search, rowsPerPage)));

export const uploadPageQueries: PageQueries = ({ trpc, load }) =>
  Promise.all([load(trpc.shops.names.queryOptions()), load(draftsQuery(trpc))]);

export const draftPageQueries: PageQueries<{ draft: string }> = async ({
  trpc,
  search,
  rowsPerPage,
  parameters: { draft: id },
  load,
}) => {
  const draft = await load(draftQuery(trpc, id));
  if (draft.state === 'done' && draft.import_id) return load(draftResultQuery(trpc, draft.import_id));
  if (draft.state === 'done' || draft.state === 'running') return;
  const url = readUrl(['part'], search, rowsPerPage);
  const preview = await load(previewQuery(trpc, id, url));
  const firstPart = firstPartOf(preview);
  if (partOf(url, PREVIEW_PARTS, firstPart) !== preview.part)
    return load(previewQuery(trpc, id, url, firstPart));
};
