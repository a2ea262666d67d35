import { z } from 'zod';
import { nameSchema } from '../../core/fields';
import { because, type Reason } from '../../core/reason';
import { issueOf, otherwise } from '../../core/validation';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a redirect URI leads to a program on the person's own machine (RFC 8252). */
export function isNativeRedirect(uri: string): boolean {
  return !uri.startsWith('https:');
}

/** What is wrong with a redirect URI of a client, or null. */
function redirectUriProblem(uri: string, isPublic: boolean): Reason | null {
  // Compared as text later on, so nothing may be in it that browsers would read in another way than it is written.
  if (!/^[\x21-\x7e]{1,2000}$/.test(uri) || uri.includes('\\') || !URL.canParse(uri))
    return because('client.whole');
  if (uri.includes('#')) return because('client.fragment');
  if (uri.includes('*')) return because('client.exact');
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return because('client.user');
  if (protocol === 'https:') return LOOPBACK.has(hostname) ? because('client.http') : null;
  if (protocol === 'http:') return LOOPBACK.has(hostname) ? null : because('client.https');
  // A scheme with a dot is a domain name turned round; any other may be another program's, or the browser's own.
  if (!protocol.includes('.')) return because('client.scheme');
  return isPublic ? null : because('client.publicOnly');
}

/** One redirect URI, by itself. */
export const redirectUriSchema = z.string().superRefine((uri, context) => {
  const problem = redirectUriProblem(uri, true);
  if (problem) context.addIssue(issueOf(problem));
});

/** What a tool that signs people in with Brickdesk is registered with. */
export const oauthClientSchema = z
  .strictObject({
    name: nameSchema.meta({ description: 'What people see when they are asked', examples: ['Wiki'] }),
    redirect_uris: z
      .array(z.string())
      .min(1, otherwise('client.few'))
      .max(20, otherwise('client.many', { count: 20 }))
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
      const problem = redirectUriProblem(uri, client.public);
      if (problem) context.addIssue(issueOf(problem, ['redirect_uris', index]));
    });
  });
