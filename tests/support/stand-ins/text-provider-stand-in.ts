import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the stand-in responds to a request. */
export type ProviderBehaviour =
  | { kind: 'reply'; text: string; usage?: unknown; model?: unknown }
  | { kind: 'reply-without-usage'; text: string }
  /** Responds with the reply that `write` returns for the conversation. */
  | { kind: 'written'; write: (turns: readonly ProviderTurn[]) => string }
  /** Responds after this time. */
  | { kind: 'slow'; ms: number }
  /** Responds once `until` is fulfilled. */
  | { kind: 'held'; until: Promise<unknown> }
  /** Sends the headers and half of the body, then nothing more. */
  | { kind: 'stalled-body' }
  /** Sends a body that never ends, as fast as the client reads it. */
  | { kind: 'endless-body'; status: number }
  | { kind: 'status'; status: number; code?: string; headers?: Record<string, string> }
  /** Responds with HTTP 200 and this body. */
  | { kind: 'body'; body: string; type?: string }
  | { kind: 'empty' }
  | { kind: 'null-content' }
  | { kind: 'refusal' }
  | { kind: 'content-filter' }
  | { kind: 'length' }
  | { kind: 'tool-calls' }
  /** Closes the connection. If `beforeHangUp` is set, first calls it and waits for its result. */
  | { kind: 'hang-up'; beforeHangUp?: () => Promise<unknown> };

export interface ProviderTurn {
  role: string;
  content: string;
}

/** A received request. */
export interface ProviderRequest {
  path: string;
  authorization: string | undefined;
  headers: IncomingMessage['headers'];
  body: { model: string; messages: ProviderTurn[]; [member: string]: unknown };
}

/** A real HTTP server that speaks the chat completions wire format. */
export interface TextProviderStandIn {
  /** The value for OPENAI_BASE_URL. */
  url: string;
  requests: ProviderRequest[];
  /** Responds to the next requests with these behaviours, one each, and to all later ones according to the last. */
  script(...behaviours: [ProviderBehaviour, ...ProviderBehaviour[]]): void;
  close(): Promise<void>;
}

/** Part of the provider's error messages and refusals, so that tests notice if the service passes one on. */
export const PROVIDER_SECRET = 'sk-provider-internal-text';

interface Choice {
  content: string | null;
  refusal?: string;
  finishReason?: string;
}

function createCompletion(
  model: unknown,
  { content, refusal, finishReason = 'stop' }: Choice,
  usage: unknown = { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 },
): string {
  return JSON.stringify({
    id: 'chatcmpl-standin',
    object: 'chat.completion',
    created: 1_787_000_000,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: refusal ?? null, annotations: [] },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage,
    system_fingerprint: 'fp_standin',
  });
}

function createErrorBody(status: number, code: string): string {
  const message = `${PROVIDER_SECRET}: something about ${status}, your key is sk-test-key-1234`;
  return JSON.stringify({ error: { message, type: 'server_error', param: null, code } });
}

function send(res: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  res.end(body);
}

/** Returns a code that says why the real provider would refuse the request; null if the request is valid. */
function refusalCodeOf({ authorization, body, path }: ProviderRequest): string | null {
  if (path !== '/v1/chat/completions') return 'no such path';
  if (!authorization?.startsWith('Bearer ')) return 'no key';
  if (typeof body.model !== 'string' || !Array.isArray(body.messages) || body.messages.length === 0)
    return 'no messages';
  const roles = new Set(['system', 'user', 'assistant']);
  const areValid = body.messages.every(({ role, content }) => roles.has(role) && typeof content === 'string');
  return areValid ? null : 'an invalid message';
}

function* repeat(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk;
}

async function respond(
  behaviour: ProviderBehaviour,
  { body }: ProviderRequest,
  res: ServerResponse,
): Promise<void> {
  const { model } = body;
  switch (behaviour.kind) {
    case 'reply':
      return send(
        res,
        200,
        createCompletion(
          'model' in behaviour ? behaviour.model : model,
          { content: behaviour.text },
          behaviour.usage,
        ),
      );
    case 'written':
      return send(res, 200, createCompletion(model, { content: behaviour.write(body.messages) }));
    case 'reply-without-usage':
      return send(res, 200, createCompletion(model, { content: behaviour.text }, null));
    case 'slow':
      await sleep(behaviour.ms);
      return send(res, 200, createCompletion(model, { content: 'Too late.' }));
    case 'held':
      await behaviour.until;
      return send(res, 200, createCompletion(model, { content: 'Late.' }));
    case 'stalled-body':
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.write('{"id": "chatcmpl');
      return;
    case 'endless-body':
      res.writeHead(behaviour.status, { 'Content-Type': 'application/json' });
      // The client ends it by closing the connection.
      await pipeline(Readable.from(repeat(Buffer.alloc(65_536, ' '))), res).catch(() => undefined);
      return;
    case 'status':
      return send(
        res,
        behaviour.status,
        createErrorBody(behaviour.status, behaviour.code ?? 'fault'),
        behaviour.headers,
      );
    case 'body':
      return send(res, 200, behaviour.body, { 'Content-Type': behaviour.type ?? 'application/json' });
    case 'empty':
      return send(res, 200, createCompletion(model, { content: ' \n ' }));
    case 'null-content':
      return send(res, 200, createCompletion(model, { content: null }));
    case 'refusal':
      return send(res, 200, createCompletion(model, { content: null, refusal: `No. ${PROVIDER_SECRET}` }));
    case 'content-filter':
      return send(res, 200, createCompletion(model, { content: 'Half a', finishReason: 'content_filter' }));
    case 'length':
      return send(
        res,
        200,
        createCompletion(model, { content: 'This reply has no e', finishReason: 'length' }),
      );
    case 'tool-calls':
      return send(
        res,
        200,
        createCompletion(model, { content: 'Let me look that up.', finishReason: 'tool_calls' }),
      );
    case 'hang-up':
      await behaviour.beforeHangUp?.();
      res.socket?.destroy();
  }
}

export async function startTextProviderStandIn(): Promise<TextProviderStandIn> {
  const requests: ProviderRequest[] = [];
  let behaviours: ProviderBehaviour[] = [{ kind: 'reply', text: 'Hello, and thank you for your message!' }];

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method === 'GET' && req.url?.endsWith('/models'))
      return send(
        res,
        200,
        JSON.stringify({ object: 'list', data: [{ id: 'stand-in-model', object: 'model' }] }),
      );
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const request: ProviderRequest = {
      path: req.url ?? '',
      authorization: req.headers.authorization,
      headers: req.headers,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
    };
    requests.push(request);
    const refusalCode = refusalCodeOf(request);
    if (refusalCode) return send(res, 400, createErrorBody(400, refusalCode));
    const behaviour = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!;
    await respond(behaviour, request, res);
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script(...newBehaviours) {
      behaviours = newBehaviours;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
