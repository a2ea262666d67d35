import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../server/api/router';

/** The input of each procedure. Components derive their types from here, never from one another. */
export type RouterInputs = inferRouterInputs<AppRouter>;
/** The output of each procedure. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;
