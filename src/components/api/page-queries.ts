import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/api/router';

/** Creates query options for procedures; works in the browser and on the server. */
export type Trpc = TRPCOptionsProxy<AppRouter>;

/** For a query or a mutation whose error the component shows itself, beside the field or in place of its content. */
export const SHOWS_OWN_ERROR = { meta: { showsOwnError: true } } as const;

/** For a list: shows the rows of the previous query until those of the next one are loaded, and shows its error itself. */
export const LIST_QUERY = { ...SHOWS_OWN_ERROR, placeholderData: keepPreviousData } as const;

/** A page that is about to be rendered on the server. */
export interface RequestedPage<Parameters = unknown> {
  trpc: Trpc;
  /** The query parameters of its URL. */
  search: URLSearchParams;
  /** The number of rows per list page that the reader has chosen. */
  rowsPerPage: number;
  /** The beginning of the current hour (see useCurrentHour). */
  hour: number;
  /** The current date in New York, as `YYYY-MM-DD` (see useNewYorkToday). */
  today: string;
  /** The reader's time zone. */
  timeZone: string;
  /** The parameters in its path, such as an id. */
  parameters: Parameters;
  /**
   * Runs a query, so that its result is sent with the page. If it fails, the browser repeats it and shows the error. The component
   * must use exactly the same query, or the browser runs it again: create both queries with one function.
   */
  load: QueryClient['query'];
}

/** Loads the data that a page shows first. */
export type PageQueries<Parameters = unknown> = (page: RequestedPage<Parameters>) => unknown;
