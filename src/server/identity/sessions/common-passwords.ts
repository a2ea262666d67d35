import { dictionary } from '@zxcvbn-ts/language-common';

let commonPasswords: Set<string> | undefined;

/**
 * Returns whether a password is too easy to guess (NIST SP 800-63B, 5.1.1.2): it is a common one, possibly with digits or
 * symbols appended; has no letters; consists of up to four characters, repeated; or is derived from the user's own e-mail address.
 */
export function isCommonPassword(password: string, email: string): boolean {
  commonPasswords ??= new Set(dictionary['passwords-common'].map((password) => password.toLowerCase()));
  const foldedPassword = password.normalize('NFKC').toLowerCase();
  const stem = foldedPassword.replace(/\P{L}+$/u, '');
  const isRepetition = /^(.{1,4})\1+$/s.exec(foldedPassword) !== null;
  const localPart = email.split('@')[0]!.toLowerCase();
  return (
    isRepetition ||
    commonPasswords.has(foldedPassword) ||
    commonPasswords.has(stem) ||
    stem === '' ||
    stem === localPart ||
    foldedPassword === email
  );
}
