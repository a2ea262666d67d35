import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseCookie } from 'cookie';
import NextAuth, { type AuthOptions } from 'next-auth';

/** A tool's configuration of its provider. */
interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A third-party tool that knows only the issuer and its own client id and secret. */
export interface NextAuthApp {
  url: string;
  /** The errors that next-auth logged. */
  errors: string[];
  close(): Promise<void>;
}

/** Returns options with Brickdesk set up like next-auth's own providers: discovery, PKCE, state, nonce and profile claims. */
function createOptions({ issuer, clientId, clientSecret }: Provider, errors: string[]): AuthOptions {
  return {
    secret: 'the secret of another tool, which is long enough',
    session: { strategy: 'jwt' },
    providers: [
      {
        id: 'brickdesk',
        name: 'Brickdesk',
        type: 'oauth',
        wellKnown: `${issuer}/.well-known/openid-configuration`,
        authorization: { params: { scope: 'openid profile email user:read' } },
        checks: ['pkce', 'state', 'nonce'],
        idToken: true,
        clientId,
        clientSecret,
        profile: ({ sub, name, email }) => ({ id: sub, name, email }),
      },
    ],
    callbacks: {
      jwt: ({ token, account, profile }) =>
        account ? { ...token, profile, accessToken: account.access_token, idToken: account.id_token } : token,
      session: ({ session, token }) => ({ ...session, token }),
    },
    logger: {
      error: (code, detail) => void errors.push(`${code} ${JSON.stringify(detail)}`),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

async function readBody(req: IncomingMessage): Promise<Record<string, string>> {
  let text = '';
  for await (const chunk of req) text += chunk;
  return Object.fromEntries(new URLSearchParams(text));
}

/** Returns a response with the members of Next.js's responses that next-auth uses. */
function createResponse(res: ServerResponse) {
  const response = {
    status(code: number) {
      res.statusCode = code;
      return response;
    },
    setHeader: (name: string, value: string | string[]) => res.setHeader(name, value),
    getHeader: (name: string) => res.getHeader(name),
    json: (value: unknown) => res.setHeader('Content-Type', 'application/json').end(JSON.stringify(value)),
    send: (value?: unknown) => res.end(typeof value === 'object' ? JSON.stringify(value) : value),
    end: (value?: string) => res.end(value),
  };
  return response;
}

/** Starts the tool on the port of its registered redirect URI. */
export async function startNextAuthApp(port: number, provider: Provider): Promise<NextAuthApp> {
  process.env.AUTH_TRUST_HOST = 'true';
  const errors: string[] = [];
  const options = createOptions(provider, errors);
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', `http://localhost:${port}`);
    const request = {
      method: req.method,
      headers: { ...req.headers, 'x-forwarded-host': `localhost:${port}`, 'x-forwarded-proto': 'http' },
      cookies: parseCookie(req.headers.cookie ?? ''),
      query: { ...Object.fromEntries(searchParams), nextauth: pathname.replace('/api/auth/', '').split('/') },
      body: await readBody(req),
    };
    await NextAuth(request as never, createResponse(res) as never, options);
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${port}`,
    errors,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
