import type * as OidcProvider from 'oidc-provider';
import type { Log } from '../core/log';

/** What the package writes to the console; it offers no way to turn this off. */
const ITS_OWN = /oidc-provider (NOTICE|WARNING): /;

async function load(log: Log): Promise<typeof OidcProvider> {
  // The package uses this function of Node 22, which not every Node 20 has, only in the way that this polyfill supports.
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
 * Loads oidc-provider on first use. What it writes to the console while loading goes to our log: programs read the output of
 * the service and of commands.
 */
export function loadOidcProvider(log: Log): Promise<typeof OidcProvider> {
  loading ??= load(log);
  return loading;
}
