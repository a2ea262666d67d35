import { z } from 'zod';
import { createReason, type Reason } from '../../core/errors/reason';
import { createIssue, withReason } from '../../core/errors/validation';
import { nameSchema } from '../../core/fields';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether a redirect URI leads to a program on the user's own machine (RFC 8252). */
export function isNativeRedirect(uri: string): boolean {
  return new URL(uri).protocol !== 'https:';
}

/** Returns why a client cannot use a redirect URI, or null if it can. */
function redirectUriProblem(uri: string, isPublic: boolean): Reason | null {
  // URIs are compared as text, so they must not contain characters that browsers would replace.
  if (!/^[\x21-\x7e]{1,2000}$/.test(uri) || uri.includes('\\') || !URL.canParse(uri))
    return createReason('client.whole');
  if (uri.includes('#')) return createReason('client.fragment');
  if (uri.includes('*')) return createReason('client.exact');
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return createReason('client.user');
  if (protocol === 'https:') return LOOPBACK_HOSTS.has(hostname) ? createReason('client.http') : null;
  if (protocol === 'http:') return LOOPBACK_HOSTS.has(hostname) ? null : createReason('client.https');
  // A scheme with a dot is a reversed domain name. Any other may belong to another program or to the browser.
  if (!protocol.includes('.')) return createReason('client.scheme');
  return isPublic ? null : createReason('client.publicOnly');
}

/** A redirect URI that a public client may use; {@link oauthClientSchema} is stricter with confidential clients. */
export const redirectUriSchema = z.string().superRefine((uri, context) => {
  const problem = redirectUriProblem(uri, true);
  if (problem) context.addIssue(createIssue(problem));
});

/** The registration of a client that signs users in with Brickdesk. */
export const oauthClientSchema = z
  .strictObject({
    name: nameSchema.meta({
      description: 'The name people see when they are asked for consent',
      examples: ['Wiki'],
    }),
    redirect_uris: z
      .array(z.string())
      .min(1, withReason('client.few'))
      .max(20, withReason('client.many', { count: 20 }))
      .meta({
        description:
          'The exact addresses that people are sent back to: https, http for the same machine, or a private-use scheme for a public client.',
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
      const problem = redirectUriProblem(uri, client.public);
      if (problem) context.addIssue(createIssue(problem, ['redirect_uris', index]));
    });
  });
