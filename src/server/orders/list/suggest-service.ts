import type { Database } from '../../db/client';
import { inTransaction } from '../../db/transaction';
import { readSearchText } from '../filter/search-text';
import { limitSuggestions, lowerSimilarity, suggestNames } from './suggest.queries';

/** Limits the search: a string of very common letters would be compared with too many orders. */
const TIMEOUT_MS = 1_000;
const QUERY_CANCELED_CODE = '57014';

/**
 * Returns up to three names of buyers, recipients or cities that are spelled similarly to the text, but not identically. Returns
 * none if {@link readSearchText} finds numbers in the text, or if the search takes too long.
 */
export async function suggestNamesLike(db: Database, text: string): Promise<string[]> {
  const { words, numbers } = readSearchText(text);
  if (numbers.length > 0) return [];
  try {
    return await inTransaction(db.pool, async (client) => {
      await limitSuggestions.run(client, { milliseconds: String(TIMEOUT_MS) });
      await lowerSimilarity.run(client);
      const rows = await suggestNames.run(client, { text: words.join(' ') });
      return rows.map(({ name }) => name);
    });
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED_CODE) return [];
    throw error;
  }
}
