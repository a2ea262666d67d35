import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/api/router';

/** What makes the options of queries, the same in the browser and on the server. */
export type Trpc = TRPCOptionsProxy<AppRouter>;

/** For a query or a mutation whose error the component shows itself, beside the field or in place of its content. */
export const OWN_ERROR = { meta: { ownError: true } } as const;

/** For a list: while the next page is on its way, the last one stays. */
export const LIST_QUERY = { ...OWN_ERROR, placeholderData: keepPreviousData } as const;

/** A page that is about to be rendered on the server. */
export interface RequestedPage<Parameters = unknown> {
  trpc: Trpc;
  /** Its address after the question mark. */
  search: URLSearchParams;
  /** The rows of a page of its lists, as the reader has chosen. */
  rows: number;
  /** The reader's. */
  timeZone: string;
  /** What its path says, such as an id. */
  parameters: Parameters;
  /**
   * Runs a query, so that its answer comes with the page. Where it fails the browser asks again and shows the error. It must be the
   * very query of the component, or the browser asks too: make both by one function.
   */
  load: QueryClient['query'];
}

/** Loads what a page shows first. */
export type PageQueries<Parameters = unknown> = (page: RequestedPage<Parameters>) => unknown;
