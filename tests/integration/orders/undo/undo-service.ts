import { expect } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

export type Cells = Record<string, unknown>;

type UndoEntry = { record: string; work: string | null; reason: string | null; by_import: string | null };

/** Starts a service for tests that import one order several times and undo the imports. */
export async function startUndoService() {
  const service: TestService = await startTestService();
  const user: SignedInUser = await createSignedInUser(service, 'admin');
  return {
    service,
    user,

    /** Imports rows of the order, and returns the id of the import. */
    async importRows(...rows: Cells[]): Promise<string> {
      const { json } = await service.importRows(
        rows.map((cells) => ({ receipt_id: 'a', title: 'Fox', ...cells })),
      );
      expect(json).toMatchObject({ success: true });
      const [lastImport] = await service.database.query<{ id: string }>(
        'SELECT max(id)::text AS id FROM imports',
      );
      return lastImport!.id;
    },

    /** Undoes the import, checks that the preview said exactly what was done, and returns the result. */
    async undoImport(
      id: string,
    ): Promise<{ undone: UndoEntry[]; kept: UndoEntry[]; counts: Record<string, number> }> {
      const previews = await Promise.all(
        ['undone', 'kept', 'missing'].map((list) => user.call('imports.undoPreview', { id, list })),
      );
      const { fingerprint } = previews[0]!.data;
      const { data, error } = await user.call('imports.undo', { id, fingerprint });
      expect(error).toBeNull();
      expect(previews.map((preview) => preview.data.entries)).toEqual([data.undone, data.kept, data.missing]);
      for (const preview of previews)
        expect(preview.data).toMatchObject({ counts: data.counts, fingerprint });
      return data;
    },

    readOrder: () => readStoredOrder(service.database, 'a'),
  };
}
