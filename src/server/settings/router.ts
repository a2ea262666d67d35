import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { healthOutput, upstreamsOutput } from './schema';
import { checkUpstreams, type Deployment, readHealth } from './service';

declare module '../trpc/context' {
  interface Services {
    /** The configuration that the pages about the system show, and the requests that check other services. */
    deployment: Deployment;
  }
}

const readProcedure = userProcedure('settings.read');

/** The configuration and health of the deployment. */
export const settingsRouter = router({
  health: readProcedure
    .output(healthOutput)
    .query(({ ctx: { services } }) => readHealth(services.db, services.deployment)),

  /** A mutation, so that opening a page does not call other services. */
  checkUpstreams: readProcedure
    .output(upstreamsOutput)
    .mutation(({ ctx: { services } }) => checkUpstreams(services.deployment)),
});
