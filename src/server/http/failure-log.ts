import type { TRPCError } from '@trpc/server';
import type { Services } from '../trpc/context';
import { type Exchange, isClientGone } from './exchange';

/** Logs internal failures of a procedure. Refusals and disconnected clients are not failures. */
export function logProcedureFailure({ log }: Services, { requestId }: Exchange, error: TRPCError): void {
  const isExpected = error.cause?.name === 'ServiceError' || isClientGone(error);
  if (error.code === 'INTERNAL_SERVER_ERROR' && !isExpected) {
    log.error({ err: error, requestId }, 'internal_error');
  }
}
