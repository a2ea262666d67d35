import { dictionary } from '@zxcvbn-ts/language-common';

/** The most common passwords, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].map((password) => password.toLowerCase()),
);
