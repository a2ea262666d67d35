import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/api/router';

/** The provider, and the hook that gives components below it access to the procedures. */
export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();
