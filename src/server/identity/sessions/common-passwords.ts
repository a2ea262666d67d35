let commonPasswordsPromise: Promise<Set<string>> | undefined;

/** Loads the list on the first call: unpacking it takes longer than some commands. */
async function loadCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map((password) => password.toLowerCase()));
}

/** Returns a text without everything that follows its last letter. */
const stemOf = (text: string) => text.replace(/\P{L}+$/u, '');

/** Returns the letters and digits of a text up to its last letter. */
const lettersOf = (text: string) => stemOf(text.replace(/[^\p{L}\p{N}]+/gu, ''));

/**
 * Returns whether a password is too easy to guess (NIST SP 800-63B, 5.1.1.2): it is a common one, possibly with digits or
 * symbols appended; has no letters; consists of up to four characters, repeated; or is the user's own e-mail address or the name in
 * it, whatever symbols they contain and whatever digits or symbols either of them ends with.
 */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  commonPasswordsPromise ??= loadCommonPasswords();
  const commonPasswords = await commonPasswordsPromise;
  const foldedPassword = password.normalize('NFKC').toLowerCase();
  const stem = stemOf(foldedPassword);
  const isRepetition = /^(.{1,4})\1+$/s.exec(foldedPassword) !== null;
  const foldedEmail = email.toLowerCase();
  return (
    isRepetition ||
    commonPasswords.has(foldedPassword) ||
    commonPasswords.has(stem) ||
    stem === '' ||
    [foldedEmail, foldedEmail.split('@')[0]!].some((text) => lettersOf(text) === lettersOf(foldedPassword))
  );
}
