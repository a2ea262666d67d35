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
  // Loaded when it is needed: unpacking the list takes longer than some commands.
  const { COMMON_PASSWORDS } = await import('./common-password-list');
  const foldedPassword = password.normalize('NFKC').toLowerCase();
  const stem = stemOf(foldedPassword);
  const isRepetition = /^(.{1,4})\1+$/s.exec(foldedPassword) !== null;
  const foldedEmail = email.toLowerCase();
  return (
    isRepetition ||
    COMMON_PASSWORDS.has(foldedPassword) ||
    COMMON_PASSWORDS.has(stem) ||
    stem === '' ||
    [foldedEmail, foldedEmail.split('@')[0]!].some((text) => lettersOf(text) === lettersOf(foldedPassword))
  );
}
