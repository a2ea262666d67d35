import { englishProblem } from '../core/errors/errors';
import { sentenceOf } from '../core/errors/sentence';
import { MAX_CALLS_PER_KEY } from '../identity/keys/call-service';
import { listKeyCalls } from '../identity/keys/call-view-service';
import type { CallError } from '../identity/keys/schema';
import { withExistingDatabase } from './open';
import { formatTable, printResult, shortTime } from './output';

/** Returns an error in English, as REST returned it, but without personal data. */
function englishError(error: CallError) {
  if (!('reason' in error)) return error;
  return { code: error.code, message: sentenceOf(error), errors: error.problems.map(englishProblem) };
}

/** `api-key calls`: prints the calls in a key's request log, or only those that were refused or failed. */
export async function printCalls(id: number, options: { errors?: boolean; json?: boolean }): Promise<void> {
  const filter = { limit: MAX_CALLS_PER_KEY, errorsOnly: options.errors ?? false };
  const page = await withExistingDatabase(({ db, config }) =>
    listKeyCalls(db, id, { ...filter, days: config.REQUEST_LOG_DAYS }),
  );
  const calls = page.calls.map((call) => ({ ...call, error: call.error && englishError(call.error) }));
  const rows = calls.map((call) => [
    shortTime(call.created_at),
    String(call.status),
    `${call.method} ${call.route}`,
    `${call.duration_ms} ms`,
    call.address ?? '-',
    call.request_id,
    call.error?.message ?? '',
  ]);
  const columnNames = ['TIME', 'STATUS', 'OPERATION', 'DURATION', 'ADDRESS', 'REQUEST ID', 'ERROR'];
  const emptyText = `The request log has no ${options.errors ? 'refused or failed ' : ''}calls with key ${id}.`;
  await printResult(options, calls, rows.length === 0 ? emptyText : formatTable(columnNames, rows));
}
