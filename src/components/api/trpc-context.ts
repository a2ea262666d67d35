import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/api/router';

/** Gives every component below the provider access to the procedures. */
export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();
