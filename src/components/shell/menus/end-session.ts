import { signOut } from 'next-auth/react';
import { deleteUnsentInput } from '../delete-unsent-input';

/** Ends the session, deletes the user's unsent input, and goes to the sign-in page. Throws if the session has not ended. */
export async function endSession(prefix: string, email: string): Promise<void> {
  // next-auth would redirect to the configured URL, which may differ from the one in use.
  const { url } = await signOut({ redirect: false });
  // If next-auth could not sign the user out, it returns no URL, or that of its own confirmation page.
  if (!url || new URL(url, window.location.href).pathname.endsWith('/signout'))
    throw new Error('The session has not ended.');
  deleteUnsentInput(email);
  window.location.assign(`${prefix}/sign-in`);
}
