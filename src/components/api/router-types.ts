import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../server/api/router';

/** The input of each procedure. Components derive the types of their data from these two types. */
export type RouterInputs = inferRouterInputs<AppRouter>;
/** The output of each procedure. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;
