import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const TIMEOUT_MS = 90_000;

export interface HttpResponse {
  status: number;
  text: string;
}

/** Sends one request to 127.0.0.1, on a connection that is kept alive. */
export function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const lengthHeader = body ? { 'Content-Length': String(body.byteLength) } : {};
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      headers: { ...headers, ...lengthHeader },
    };
    const outgoingRequest = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    outgoingRequest.setTimeout(TIMEOUT_MS, () =>
      outgoingRequest.destroy(new Error(`${method} ${path}: no response in time`)),
    );
    outgoingRequest.on('error', reject);
    outgoingRequest.end(body);
  });
}

/** Closes all connections. The next request opens a new one. */
export function closeConnections(): void {
  agent.destroy();
}
