import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../server/api/router';

/** What each procedure takes. Components take their types from here, never from one another. */
export type RouterInputs = inferRouterInputs<AppRouter>;
/** What each procedure answers. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;
