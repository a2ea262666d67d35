import type * as OidcProvider from 'oidc-provider';
import type { Log } from '../core/log';

/** What the package writes itself; it has no other way to be told not to. */
const ITS_OWN = /oidc-provider (NOTICE|WARNING): /;

/**
 * oidc-provider, loaded when it is first needed. What it writes to the console goes to our log: a command's output and the
 * service's are read by programs.
 */
export async function loadOidcProvider(log: Log): Promise<typeof OidcProvider> {
  for (const level of ['info', 'warn'] as const) {
    // biome-ignore lint/suspicious/noConsole: it is what the package writes to
    const write = console[level];
    console[level] = (...args: unknown[]) => {
      if (typeof args[0] === 'string' && ITS_OWN.test(args[0])) log.debug({ said: args[0] }, 'oidc-provider');
      else write(...args);
    };
  }
  // It uses this of Node 22, which not every Node 20 has, for nothing but what is done here.
  URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
  return import('oidc-provider');
}
