import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/api/router';

/** The provider, and the hooks that give components below it access to the procedures: as query and mutation options, and to call. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
