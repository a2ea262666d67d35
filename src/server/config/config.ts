import { sentenceOfIssue } from '../core/errors/issue-sentence';
import { configSchema, type Settings } from './config-schema';

/** The settings, and the values derived from them. */
export interface Config extends Settings {
  APP_URL: string;
  ADMIN_EMAIL: string;
  isProduction: boolean;
}

/** Thrown if environment variables are missing or invalid. The message has a line for each, with what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Returns whether listening on both addresses, with the same port, fails: they are the same, or one means all addresses. */
function overlap(host: string, otherHost: string): boolean {
  const hosts = [host, otherHost].map((name) => (name === 'localhost' ? '127.0.0.1' : name));
  return hosts[0] === hosts[1] || hosts.some((name) => name === '0.0.0.0' || name === '::');
}

/**
 * Reads the configuration. Nothing else in `src` reads the environment. An empty variable counts as unset.
 *
 * @throws ConfigError listing every missing or invalid variable, one per line
 */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const variables = Object.fromEntries(
    Object.keys(configSchema.shape)
      .map((name) => [name, env[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = configSchema.safeParse(variables);
  const lines = (result.error?.issues ?? []).map(
    (issue) => `${String(issue.path[0])}: ${sentenceOfIssue(issue)}`,
  );
  if (variables.DATABASE_URL && !variables.NEXTAUTH_SECRET) {
    lines.push(
      'NEXTAUTH_SECRET: is required with DATABASE_URL. Create one with "openssl rand -base64 48" and keep it.',
    );
  }
  if (variables.DATABASE_REPLICA_URL && !variables.DATABASE_URL)
    lines.push('DATABASE_URL: is required with DATABASE_REPLICA_URL, which is a replica of it.');
  const oidcVariables = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];
  if (oidcVariables.some((name) => variables[name])) {
    const missingNames = oidcVariables.filter((name) => !variables[name]);
    for (const name of missingNames)
      lines.push(
        `${name}: is required: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of them.`,
      );
  }
  const smtpVariables = ['SMTP_URL', 'SMTP_FROM'];
  if (smtpVariables.some((name) => variables[name])) {
    for (const name of smtpVariables.filter((variable) => !variables[variable]))
      lines.push(`${name}: is required: set both SMTP_URL and SMTP_FROM, or neither.`);
  }
  const { PORT, HOST, METRICS_PORT, METRICS_HOST } = result.data ?? {};
  if (PORT && PORT === METRICS_PORT && overlap(HOST!, METRICS_HOST!))
    lines.push('METRICS_PORT: must differ from PORT, on which the service itself listens.');
  if (!result.success || lines.length > 0) throw new ConfigError([...new Set(lines)].join('\n'));
  const settings = result.data;
  return {
    ...settings,
    APP_URL: settings.APP_URL ?? `http://localhost:${settings.PORT}`,
    ADMIN_EMAIL: settings.ADMIN_EMAIL ?? 'owner@localhost',
    isProduction: env.NODE_ENV !== 'development',
  };
}

/**
 * Makes next-auth build its URLs from the forwarded headers, which our sign-in handler sets from APP_URL. next-auth reads this
 * setting from the environment only.
 */
export function trustForwardedHost(): void {
  process.env.AUTH_TRUST_HOST = 'true';
}
