import { createHash, randomUUID } from 'node:crypto';
import type { Encoding } from '../../core/encoding';
import { ServiceError } from '../../core/errors';
import { because, type Reason } from '../../core/reason';
import type { SheetReader } from '../import/reader';
import { type OrderServices, requireAccount } from '../import/service';
import type { MendedCell } from './draft-sheet';
import type { ImportStep } from './schema';
import type { SheetLook } from './sheet-work';

/** What the import page works with. */
export interface DraftServices extends OrderServices {
  /** Reads files, large ones in a worker thread. */
  sheets: SheetReader;
}

/** Days that a draft is kept after it was last touched. */
const DRAFT_DAYS = 7;
/** A running import tells of itself every few seconds; one that has not for so long has died with its process. */
export const DEAD_AFTER_SECONDS = 60;

const INTERRUPTED = JSON.stringify(because('import.interrupted'));
const isDead = `(d.state = 'running' AND d.updated_at < now() - interval '${DEAD_AFTER_SECONDS} seconds')`;

/** The draft as the page sees it: an import that died with its process has failed. */
const VIEW = `
SELECT d.id, d.account_id, s.name AS account, d.file_name, CASE WHEN ${isDead} THEN 'failed' ELSE d.state END AS state,
       d.fingerprint, d.done, d.total, d.step,
       CASE WHEN ${isDead} THEN '${INTERRUPTED}'::jsonb ELSE d.failure END AS failure,
       d.import_id::text, d.created_at, d.updated_at
  FROM import_drafts d JOIN shops s ON s.id = d.account_id`;

export interface DraftView {
  id: string;
  account_id: number;
  account: string;
  file_name: string;
  state: 'ready' | 'running' | 'done' | 'failed';
  fingerprint: string | null;
  done: number;
  total: number;
  /** What it is doing, while it runs. */
  step: ImportStep | null;
  /** Why the last import stored nothing. */
  failure: Reason | null;
  import_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A draft with its rows. `version` changes whenever they do. */
export interface Draft extends DraftView {
  sheet: Uint8Array;
  contentHash: string;
  version: string;
}

const noDraft = () => new ServiceError('not_found', because('import.noDraft'));

/**
 * Keeps an uploaded file as a draft of the person.
 *
 * @returns its id, and how the file was encoded (null for a workbook)
 * @throws ServiceError `validation_failed` where the shop is unknown or the file is no order export
 */
export async function createDraft(
  services: DraftServices,
  input: { userId: number; accountId: number; fileName: string; bytes: Uint8Array },
  signal?: AbortSignal,
): Promise<{ id: string; encoding: Encoding | null }> {
  const { db } = services;
  await requireAccount(db.pool, input.accountId);
  const contentHash = createHash('sha256').update(input.bytes).digest('hex');
  const { sheet, rows, encoding } = await services.sheets.open(
    { name: input.fileName, bytes: input.bytes },
    signal,
  );
  const id = randomUUID();
  await db.pool.query(
    `INSERT INTO import_drafts (id, user_id, account_id, file_name, content_hash, sheet, total)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, input.userId, input.accountId, input.fileName, contentHash, sheet, rows],
  );
  return { id, encoding };
}

/** The person's drafts, the newest first. */
export async function listDrafts({ db }: DraftServices, userId: number): Promise<DraftView[]> {
  const { rows } = await db.pool.query<DraftView>(
    `${VIEW} WHERE d.user_id = $1 ORDER BY d.created_at DESC, d.id LIMIT 200`,
    [userId],
  );
  return rows;
}

/** @throws ServiceError `not_found` where the person has no such draft */
export async function readDraft(
  { db }: Pick<DraftServices, 'db'>,
  userId: number,
  id: string,
): Promise<DraftView> {
  const { rows } = await db.pool.query<DraftView>({
    name: 'import-draft',
    text: `${VIEW} WHERE d.id = $1 AND d.user_id = $2`,
    values: [id, userId],
  });
  if (!rows[0]) throw noDraft();
  return rows[0];
}

/** The draft with its rows. @throws ServiceError `not_found` */
export async function loadDraft(services: DraftServices, userId: number, id: string): Promise<Draft> {
  const view = await readDraft(services, userId, id);
  const { rows } = await services.db.pool.query<{ sheet: Buffer; content_hash: string; version: string }>(
    `SELECT sheet, content_hash, encode(sha256(sheet), 'hex') AS version FROM import_drafts WHERE id = $1`,
    [id],
  );
  if (!rows[0]) throw noDraft();
  const { sheet, content_hash: contentHash, version } = rows[0];
  return { ...view, sheet, contentHash, version };
}

/** A draft and its sheet as a whole. @throws ServiceError `not_found` */
export async function lookAtDraft(
  services: DraftServices,
  userId: number,
  id: string,
  signal?: AbortSignal,
): Promise<{ draft: DraftView; look: SheetLook }> {
  const draft = await loadDraft(services, userId, id);
  return { draft, look: await services.sheets.look(draft.sheet, signal) };
}

/** Refuses what can only be done before a draft is imported. @throws ServiceError `conflict` */
export function requireOpen({ state }: DraftView): void {
  if (state === 'running') throw new ServiceError('conflict', because('import.running'));
  if (state === 'done') throw new ServiceError('conflict', because('import.done'));
}

/**
 * Puts new texts into cells of a draft; a preview made before does not hold any longer.
 *
 * @throws ServiceError `not_found`; `conflict` where it is imported, or was changed meanwhile; `validation_failed`
 */
export async function mendDraft(
  services: DraftServices,
  userId: number,
  id: string,
  cells: readonly MendedCell[],
  signal?: AbortSignal,
): Promise<void> {
  const draft = await loadDraft(services, userId, id);
  requireOpen(draft);
  const { sheet } = await services.sheets.mend(draft.sheet, cells, signal);
  const { rowCount } = await services.db.pool.query(
    `UPDATE import_drafts d SET sheet = $3, fingerprint = NULL, state = 'ready', failure = NULL, updated_at = now()
      WHERE id = $1 AND user_id = $2 AND (state IN ('ready', 'failed') OR ${isDead})
        AND encode(sha256(sheet), 'hex') = $4`,
    [id, userId, sheet, draft.version],
  );
  if (rowCount === 0)
    throw new ServiceError(
      'conflict',
      because('import.thisFile', { reason: 'was changed meanwhile. Load it again, then mend it.' }),
    );
}

/** Forgets a draft. @throws ServiceError `not_found`; `conflict` while it is imported */
export async function discardDraft(services: DraftServices, userId: number, id: string): Promise<void> {
  const { rowCount } = await services.db.pool.query(
    `DELETE FROM import_drafts d WHERE id = $1 AND user_id = $2 AND (state <> 'running' OR ${isDead})`,
    [id, userId],
  );
  if (rowCount === 0) requireOpen(await readDraft(services, userId, id));
}

/** The workbook of a draft's rejected rows. @throws ServiceError `not_found`; `validation_failed` where none is rejected */
export async function writeBadRowsOf(
  services: DraftServices,
  userId: number,
  id: string,
  signal?: AbortSignal,
): Promise<{ fileName: string; bytes: Uint8Array }> {
  const draft = await loadDraft(services, userId, id);
  const bytes = await services.sheets.badRows(sheetOf(draft), signal);
  const stem = draft.file_name.replace(/\.(?:csv|xlsx|txt|tsv)$/i, '');
  return { fileName: `${stem} - bad rows.xlsx`, bytes };
}

/** The draft as the reader of sheets takes it. */
export function sheetOf(draft: Draft) {
  return { sheet: draft.sheet, accountId: draft.account_id, contentHash: draft.contentHash };
}

/** Deletes drafts that nobody has touched for a week. */
export async function deleteOldDrafts({ db }: Pick<DraftServices, 'db'>): Promise<void> {
  await db.pool.query(`DELETE FROM import_drafts WHERE updated_at < now() - interval '${DRAFT_DAYS} days'`);
}
