import { z } from 'zod';
import { nameSchema } from '../../core/fields';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a redirect URI leads to a program on the person's own machine (RFC 8252). */
export function isNativeRedirect(uri: string): boolean {
  return !uri.startsWith('https:');
}

/** What is wrong with a redirect URI of a client, or null. */
function redirectUriProblem(uri: string, isPublic: boolean): string | null {
  // Compared as text later on, so nothing may be in it that browsers would read in another way than it is written.
  if (!/^[\x21-\x7e]{1,2000}$/.test(uri) || uri.includes('\\') || !URL.canParse(uri))
    return 'must be a whole URL in ASCII';
  if (uri.includes('#')) return 'must not have a fragment';
  if (uri.includes('*')) return 'must be one exact address, without *';
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return 'must not have a user name or password';
  if (protocol === 'https:')
    return LOOPBACK.has(hostname) ? 'must use http: for an address on the same machine' : null;
  if (protocol === 'http:')
    return LOOPBACK.has(hostname) ? null : 'must use https: unless it leads to the same machine';
  // A scheme with a dot is a domain name turned round; any other may be another program's, or the browser's own.
  if (!protocol.includes('.')) return 'must use https:, or a private-use scheme such as com.example.app:';
  return isPublic ? null : 'may have a private-use scheme in a public client only';
}

/** One redirect URI, by itself. */
export const redirectUriSchema = z.string().superRefine((uri, context) => {
  const problem = redirectUriProblem(uri, true);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

/** What a tool that signs people in with Brickdesk is registered with. */
export const oauthClientSchema = z
  .strictObject({
    name: nameSchema.meta({ description: 'What people see when they are asked', examples: ['Wiki'] }),
    redirect_uris: z
      .array(z.string())
      .min(1, 'must have at least one address')
      .max(20, 'must have at most 20 addresses')
      .meta({
        description:
          'Where people are sent back to; the exact addresses. https, or http for the same machine, or a private-use scheme in a public client.',
        examples: [['https://wiki.example/callback']],
      }),
    public: z
      .boolean()
      .default(false)
      .meta({
        description:
          'Whether it cannot keep a secret: a page in the browser, or a program on people’s own machines',
        examples: [false],
      }),
  })
  .superRefine((client, context) => {
    client.redirect_uris.forEach((uri, index) => {
      const message = redirectUriProblem(uri, client.public);
      if (message) context.addIssue({ code: 'custom', message, path: ['redirect_uris', index] });
    });
  });
