import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** A request whose last byte the client holds back. */
export interface SlowRequest {
  /** Sends the rest, and waits for the response. */
  finish(): Promise<{ status: number; text: string }>;
}

/**
 * Sends the head and all but the last byte of a body, and returns once the service has read the caller's credentials.
 *
 * @param input.waitUntilBegun waits until the service has read the credentials, for example by reading when they were last used
 */
export async function sendSlowly(
  url: string,
  input: {
    method?: string;
    headers: Record<string, string>;
    body: string | Buffer;
    waitUntilBegun: () => Promise<void>;
  },
): Promise<SlowRequest> {
  const body = Buffer.from(input.body);
  const clientRequest: ClientRequest = request(url, {
    method: input.method ?? 'POST',
    headers: { ...input.headers, 'Content-Length': body.length },
  });
  // The response may arrive before the body is complete.
  const responsePromise = once(clientRequest, 'response') as Promise<[IncomingMessage]>;
  clientRequest.on('error', () => undefined);
  clientRequest.write(body.subarray(0, -1));
  await input.waitUntilBegun();
  return {
    async finish() {
      clientRequest.end(body.subarray(-1));
      const [response] = await responsePromise;
      let text = '';
      for await (const chunk of response) text += chunk;
      return { status: response.statusCode ?? 0, text };
    },
  };
}

/** Sends the head of a request, and nothing of the body that it announces. Returns the status of the response. */
export function announceBody(url: string, headers: Record<string, string>, length: number): Promise<number> {
  const clientRequest = request(url, { method: 'POST', headers: { ...headers, 'Content-Length': length } });
  return new Promise((resolve, reject) => {
    clientRequest.on('response', ({ statusCode = 0 }) => {
      resolve(statusCode);
      clientRequest.destroy();
    });
    clientRequest.setTimeout(5_000, () => clientRequest.destroy(new Error(`${url} waits for the body`)));
    clientRequest.on('error', reject).flushHeaders();
  });
}
