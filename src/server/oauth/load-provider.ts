import type * as OidcProvider from 'oidc-provider';
import type { Log } from '../core/log';

/** What the package writes itself; it has no other way to be told not to. */
const ITS_OWN = /oidc-provider (NOTICE|WARNING): /;

async function load(log: Log): Promise<typeof OidcProvider> {
  // It uses this of Node 22, which not every Node 20 has, for nothing but what is done here.
  URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
  const { warn } = console;
  console.warn = (...args: unknown[]) => {
    if (typeof args[0] === 'string' && ITS_OWN.test(args[0])) log.debug({ said: args[0] }, 'oidc-provider');
    else warn(...args);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

let loading: Promise<typeof OidcProvider> | undefined;

/**
 * oidc-provider, loaded when it is first needed. What it writes to the console while it is loaded goes to our log: the output
 * of the service and of commands is read by programs.
 */
export function loadOidcProvider(log: Log): Promise<typeof OidcProvider> {
  loading ??= load(log);
  return loading;
}
