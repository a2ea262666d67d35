import type * as OidcProvider from 'oidc-provider';
import type { Log } from '../core/log';

/** Matches what the package writes to the console, which cannot be turned off. */
const PACKAGE_MESSAGE = /oidc-provider (NOTICE|WARNING): /;

async function importProvider(log: Log): Promise<typeof OidcProvider> {
  // The package calls URL.parse, which some versions of Node 20 do not have. This polyfill covers the package's use of it.
  URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
  const { warn } = console;
  console.warn = (...args: unknown[]) => {
    if (typeof args[0] === 'string' && PACKAGE_MESSAGE.test(args[0]))
      log.debug({ text: args[0] }, 'oidc-provider');
    else warn(...args);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

let providerModule: Promise<typeof OidcProvider> | undefined;

/**
 * Loads oidc-provider on first use. Its console output while loading goes to our log instead, because programs read the output
 * of the service and of commands.
 */
export function loadOidcProvider(log: Log): Promise<typeof OidcProvider> {
  providerModule ??= importProvider(log);
  return providerModule;
}
