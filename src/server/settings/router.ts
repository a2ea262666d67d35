import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { healthOutput, upstreamsOutput } from './schema';
import { checkUpstreams, type Deployment, readHealth } from './service';

declare module '../trpc/context' {
  interface Services {
    /** The part of the configuration that people may see. */
    deployment: Deployment;
  }
}

const reading = personProcedure('settings.read');

/** How the deployment is set up and how it is doing. */
export const settingsRouter = router({
  health: reading
    .output(healthOutput)
    .query(({ ctx: { services } }) => readHealth(services.db, services.deployment)),

  /** A mutation, so that no page asks other services by merely being looked at. */
  checkUpstreams: reading
    .output(upstreamsOutput)
    .mutation(({ ctx: { services } }) => checkUpstreams(services.deployment)),
});
