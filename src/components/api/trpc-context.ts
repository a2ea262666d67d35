import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/api/router';

/** The provider, and the hooks with which components below it use the procedures: as query and mutation options, or as calls. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
