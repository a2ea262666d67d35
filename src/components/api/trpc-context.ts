import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/api/router';

/** The way to the procedures, for every component below the provider. */
export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();
