import { expect } from 'vitest';
import { ConfigError, loadConfig } from '../../src/server/config/config';

/** Returns the lines of the error for this environment; none if it is valid. */
export function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n');
  }
  return [];
}
