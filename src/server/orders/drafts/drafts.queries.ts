// Written by `npm run sql` from drafts.sql: change that file instead.
import { Statement } from '../../db/statement';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;

export interface CreateDraftParams {
  contentHash: string;
  fileName: string;
  id: string;
  sheet: Buffer;
  shopId: number;
  total: number;
  userId: number;
}

export const createDraft = new Statement<CreateDraftParams, never>('drafts.createDraft', `
INSERT INTO import_drafts (shop_id, id, user_id, file_name, content_hash, sheet, total)
VALUES ($1, $2, $3, $4, $5, $6, $7)`, ["shopId","id","userId","fileName","contentHash","sheet","total"]);

export interface ListDraftsParams {
  id: string | null;
  userId: number;
}

export interface ListDraftsRow {
  account: string;
  account_id: number;
  created_at: Date;
  done: number;
  failure: Json | null;
  file_name: string;
  fingerprint: string | null;
  id: string;
  import_id: string | null;
  state: string;
  step: string | null;
  total: number;
  updated_at: Date;
}

export const listDrafts = new Statement<ListDraftsParams, ListDraftsRow>('drafts.listDrafts', `
-- A user's drafts, or one of them, newest first.
SELECT d.id, d.shop_id AS account_id, s.name AS account, d.file_name,
       CASE WHEN dead.is THEN 'failed' ELSE d.state END AS "state", d.fingerprint, d.done, d.total, d.step,
       CASE WHEN dead.is THEN '{"reason": "import.interrupted", "values": {}}' ELSE d.failure END AS failure,
       d.import_id::text, d.created_at, d.updated_at
  FROM import_drafts d JOIN shops s ON s.id = d.shop_id
 CROSS JOIN LATERAL (SELECT d.state = 'running' AND d.updated_at < now() - interval '60 seconds' AS is) dead
 WHERE d.user_id = $1 AND ($2::uuid IS NULL OR d.id = $2)
 ORDER BY d.created_at DESC, d.id LIMIT 200`, ["userId","id"]);

export interface ReadSheetParams {
  id: string;
  shopId: number;
}

export interface ReadSheetRow {
  content_hash: string;
  sheet: Buffer;
  version: string;
}

export const readSheet = new Statement<ReadSheetParams, ReadSheetRow>('drafts.readSheet', `
SELECT sheet, content_hash, encode(sha256(sheet), 'hex') AS "version"
  FROM import_drafts WHERE shop_id = $1 AND id = $2`, ["shopId","id"]);

export interface ReplaceSheetParams {
  id: string;
  sheet: Buffer;
  shopId: number;
  version: string;
}

export interface ReplaceSheetRow {
  id: string;
}

export const replaceSheet = new Statement<ReplaceSheetParams, ReplaceSheetRow>('drafts.replaceSheet', `
-- An earlier preview is no longer valid.
UPDATE import_drafts SET sheet = $1, fingerprint = NULL, state = 'ready', failure = NULL, updated_at = now()
 WHERE shop_id = $2 AND id = $3 AND encode(sha256(sheet), 'hex') = $4
   AND (state IN ('ready', 'failed') OR state = 'running' AND updated_at < now() - interval '60 seconds')
RETURNING id`, ["sheet","shopId","id","version"]);

export interface SaveFingerprintParams {
  fingerprint: string;
  id: string;
  shopId: number;
  version: string;
}

export const saveFingerprint = new Statement<SaveFingerprintParams, never>('drafts.saveFingerprint', `
UPDATE import_drafts SET fingerprint = $1
 WHERE shop_id = $2 AND id = $3 AND encode(sha256(sheet), 'hex') = $4
   AND (state IN ('ready', 'failed') OR state = 'running' AND updated_at < now() - interval '60 seconds')`, ["fingerprint","shopId","id","version"]);

export interface DiscardDraftParams {
  id: string;
  shopId: number;
}

export interface DiscardDraftRow {
  id: string;
}

export const discardDraft = new Statement<DiscardDraftParams, DiscardDraftRow>('drafts.discardDraft', `
DELETE FROM import_drafts
 WHERE shop_id = $1 AND id = $2
   AND (state <> 'running' OR updated_at < now() - interval '60 seconds')
RETURNING id`, ["shopId","id"]);

export interface ClaimDraftParams {
  id: string;
  shopId: number;
}

export interface ClaimDraftRow {
  id: string;
}

export const claimDraft = new Statement<ClaimDraftParams, ClaimDraftRow>('drafts.claimDraft', `
-- Claims the draft for one run. A run that died with its process may be taken over.
UPDATE import_drafts SET state = 'running', done = 0, step = 'reading', failure = NULL, updated_at = now()
 WHERE shop_id = $1 AND id = $2
   AND (state IN ('ready', 'failed') OR state = 'running' AND updated_at < now() - interval '60 seconds')
RETURNING id`, ["shopId","id"]);

export interface SetTotalParams {
  id: string;
  shopId: number;
  total: number;
}

export const setTotal = new Statement<SetTotalParams, never>('drafts.setTotal', `
UPDATE import_drafts SET total = $1 WHERE shop_id = $2 AND id = $3`, ["total","shopId","id"]);

export interface WriteProgressParams {
  done: number;
  id: string;
  shopId: number;
  step: string;
}

export const writeProgress = new Statement<WriteProgressParams, never>('drafts.writeProgress', `
UPDATE import_drafts SET done = least($1, total), step = $2, updated_at = now()
 WHERE shop_id = $3 AND id = $4 AND state = 'running'`, ["done","step","shopId","id"]);

export interface CompleteDraftParams {
  id: string;
  importId: NumberOrString;
  shopId: number;
}

export interface CompleteDraftRow {
  id: string;
}

export const completeDraft = new Statement<CompleteDraftParams, CompleteDraftRow>('drafts.completeDraft', `
-- Part of the import's transaction: either the draft is done and its orders are stored, or neither.
UPDATE import_drafts SET state = 'done', done = total, step = NULL, import_id = $1, updated_at = now()
 WHERE shop_id = $2 AND id = $3 AND state = 'running'
RETURNING id`, ["importId","shopId","id"]);

export interface ReleaseDraftParams {
  failure: Json | Uint8Array;
  id: string;
  shopId: number;
  state: string;
}

export const releaseDraft = new Statement<ReleaseDraftParams, never>('drafts.releaseDraft', `
-- After a refusal the preview is no longer valid; after a failure it still is.
UPDATE import_drafts
   SET state = $1::text, step = NULL, failure = $2, done = 0, updated_at = now(),
       fingerprint = CASE WHEN $1::text = 'ready' THEN NULL ELSE fingerprint END
 WHERE shop_id = $3 AND id = $4 AND state = 'running'`, ["state","failure","shopId","id"]);

export const deleteOldDrafts = new Statement<undefined, never>('drafts.deleteOldDrafts', `
-- Those of all shops that have not changed for a week.
DELETE FROM import_drafts WHERE updated_at < now() - interval '7 days'`);
