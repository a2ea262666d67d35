import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DELIVERED, IN_TRANSIT, NOT_FOUND, yanwenRow } from './carrier-reports';

/** How a carrier responds to a request for a number. */
export type Behaviour =
  /** Returns this `track_info` (17TRACK, by default a shipment in transit) or this row (Yanwen, by default {@link yanwenRow}). */
  | { kind: 'known'; report?: unknown }
  /** Has nothing about the number: 17TRACK has no information yet (-18019909), or Yanwen does not know it (NOTFOUND). */
  | { kind: 'unknown' }
  /** 17TRACK does not track the number until someone registers it: -18019902. */
  | { kind: 'unregistered' }
  /** 17TRACK cannot detect the carrier of the number: -18019903. */
  | { kind: 'undetected' }
  /** 17TRACK does not track the number (-18019902) and refuses to register it, because no quota is left (-18019908). */
  | { kind: 'no-quota' }
  /** HTTP 200 with an error for the whole request: from 17TRACK with this code, from Yanwen always with code 1. */
  | { kind: 'code'; code: number }
  /** Responds after a delay, as if the number were known. */
  | { kind: 'slow'; ms: number }
  /** Responds once `until` is fulfilled, as if the number were known. */
  | { kind: 'held'; until: Promise<unknown> }
  /** This HTTP status, with a page that contains a secret. */
  | { kind: 'status'; status: number; retryAfter?: string }
  /** HTTP 200 with this text. */
  | { kind: 'garbage'; text: string }
  /** Closes the connection without a response. */
  | { kind: 'hang-up' }
  /** Several contradictory rows, for the number and for one that was not requested. */
  | { kind: 'contradicting' };

interface RecordedRequest {
  vendor: '17track' | 'yanwen';
  operation: string;
  numbers: string[];
  headerNames: string[];
  /** The time of its arrival, in milliseconds on a monotonic clock. */
  arrivedAt: number;
}

export const KEY_17TRACK = 'stand-in-17track-key';
export const YANWEN_ACCOUNT = 'stand-in-account';
/** Part of the carrier's error messages, so that tests notice if the service passes one on. */
export const CARRIER_SECRET = 'internal carrier text 内部错误';

export interface CarrierStandIn {
  /** Base URLs for the clients. */
  track17Url: string;
  yanwenUrl: string;
  /** The requests with a valid key, except for those for the quota, in order of arrival. */
  requests: RecordedRequest[];
  /** The numbers that clients have registered with 17TRACK. */
  registeredNumbers: Set<string>;
  /** Responds to all further registrations with 17TRACK with this behaviour, such as an error. */
  scriptRegistration(behaviour: Behaviour): void;
  /**
   * Responds to requests for a number with these behaviours, one after another; the last one repeats. Numbers without a script
   * are known.
   */
  script(number: string, ...behaviours: Behaviour[]): void;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function respond(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

const createErrorBody = (code: number) => ({ code, data: { errors: [{ code, message: CARRIER_SECRET }] } });

function track17ResultOf(
  number: string,
  behaviour: Behaviour,
): { accepted?: unknown[]; rejectedCode?: number } {
  const rowOf = (report: unknown) => ({ number, carrier: 21051, param: null, tag: '', track_info: report });
  switch (behaviour.kind) {
    case 'known':
      return { accepted: [rowOf(behaviour.report ?? IN_TRANSIT)] };
    case 'unknown':
      return { rejectedCode: -18019909 };
    case 'unregistered':
    case 'no-quota':
      return { rejectedCode: -18019902 };
    case 'undetected':
      return { rejectedCode: -18019903 };
    case 'contradicting':
      return {
        accepted: [
          rowOf(NOT_FOUND),
          rowOf(DELIVERED),
          rowOf(NOT_FOUND),
          { ...rowOf(DELIVERED), number: 'NOT-REQUESTED' },
        ],
        rejectedCode: -18019909,
      };
    default:
      return { accepted: [rowOf(IN_TRANSIT)] };
  }
}

function yanwenRowsOf(number: string, behaviour: Behaviour): unknown[] {
  switch (behaviour.kind) {
    case 'known':
      return [behaviour.report ?? yanwenRow(number)];
    case 'unknown':
      return [yanwenRow(number, { tracking_status: 'NOTFOUND', checkpoints: [] })];
    case 'contradicting':
      return [
        yanwenRow('NOT-REQUESTED', { exchange_number: number, tracking_status: 'LM40' }),
        yanwenRow(number),
      ];
    default:
      return [yanwenRow(number)];
  }
}

/**
 * Delays the response, sends the whole of it, or closes the connection, if one number's behaviour says so. Returns whether nothing
 * is left to send.
 */
async function respondToWholeRequest(
  response: ServerResponse,
  behaviour: Behaviour,
  createFailureBody: (code: number) => unknown,
): Promise<boolean> {
  switch (behaviour.kind) {
    case 'slow':
      await sleep(behaviour.ms);
      return false;
    case 'held':
      await behaviour.until;
      return false;
    case 'status': {
      const headers = behaviour.retryAfter === undefined ? {} : { 'retry-after': behaviour.retryAfter };
      respond(response, behaviour.status, `<html>${CARRIER_SECRET}</html>`, headers);
      return true;
    }
    case 'code':
      respond(response, 200, createFailureBody(behaviour.code));
      return true;
    case 'garbage':
      respond(response, 200, behaviour.text);
      return true;
    case 'hang-up':
      response.destroy();
      return true;
    default:
      return false;
  }
}

/** Starts a local HTTP server that speaks 17TRACK's and Yanwen's wire formats (docs/tracking.md) and follows its scripts. */
export async function startCarrierStandIn(): Promise<CarrierStandIn> {
  const scripts = new Map<string, Behaviour[]>();
  const requests: RecordedRequest[] = [];
  const registeredNumbers = new Set<string>();
  let registrationBehaviour: Behaviour = { kind: 'known' };

  function nextBehaviour(number: string): Behaviour {
    const script = scripts.get(number) ?? [];
    return (script.length > 1 ? script.shift() : script[0]) ?? { kind: 'known' };
  }

  function register(response: ServerResponse, numbers: string[]): void {
    const codeOf = (number: string) =>
      registeredNumbers.has(number)
        ? -18019901
        : scripts.get(number)?.[0]?.kind === 'no-quota'
          ? -18019908
          : 0;
    const results = numbers.map((number) => ({ number, code: codeOf(number) }));
    for (const { number, code } of results) if (code === 0) registeredNumbers.add(number);
    respond(response, 200, {
      code: 0,
      data: {
        accepted: results
          .filter(({ code }) => code === 0)
          .map(({ number }) => ({ origin: 1, number, carrier: 21051 })),
        rejected: results
          .filter(({ code }) => code !== 0)
          .map(({ number, code }) => ({ number, error: { code, message: CARRIER_SECRET } })),
      },
    });
  }

  async function serve17Track(
    request: IncomingMessage,
    response: ServerResponse,
    arrivedAt: number,
  ): Promise<void> {
    const operation = request.url!.slice('/track/v2.2/'.length);
    if (request.method !== 'POST') return respond(response, 404, '');
    if (request.headers['17token'] !== KEY_17TRACK) return respond(response, 401, createErrorBody(-18010002));
    if (operation === 'getquota')
      return respond(response, 200, {
        code: 0,
        data: { quota_total: 1_000, quota_used: 12, quota_remain: 988 },
      });
    const items = JSON.parse(await readBody(request)) as { number: string }[];
    const numbers = items.map(({ number }) => number);
    requests.push({
      vendor: '17track',
      operation,
      numbers,
      headerNames: Object.keys(request.headers),
      arrivedAt,
    });
    if (items.length > 40) return respond(response, 200, createErrorBody(-18010013));
    if (operation === 'register') {
      if (await respondToWholeRequest(response, registrationBehaviour, createErrorBody)) return;
      return register(response, numbers);
    }
    if (operation !== 'gettrackinfo') return respond(response, 404, '');
    const behaviours = numbers.map((number): [string, Behaviour] => {
      const behaviour = nextBehaviour(number);
      return [
        number,
        behaviour.kind === 'unregistered' && registeredNumbers.has(number) ? { kind: 'known' } : behaviour,
      ];
    });
    for (const [, behaviour] of behaviours) {
      if (await respondToWholeRequest(response, behaviour, createErrorBody)) return;
    }
    const results = behaviours.map(([number, behaviour]) => ({
      number,
      ...track17ResultOf(number, behaviour),
    }));
    respond(response, 200, {
      code: 0,
      data: {
        accepted: results.flatMap(({ accepted }) => accepted ?? []),
        rejected: results
          .filter(({ rejectedCode }) => rejectedCode !== undefined)
          .map(({ number, rejectedCode: code }) => ({ number, error: { code, message: CARRIER_SECRET } })),
      },
    });
  }

  async function serveYanwen(
    request: IncomingMessage,
    response: ServerResponse,
    arrivedAt: number,
  ): Promise<void> {
    const url = new URL(request.url!, 'http://stand-in');
    if (request.method !== 'GET' || url.pathname !== '/api/tracking') return respond(response, 404, '');
    if (request.headers.authorization !== YANWEN_ACCOUNT) return respond(response, 401, CARRIER_SECRET);
    const numbers = (url.searchParams.get('nums') ?? '').split(',');
    requests.push({
      vendor: 'yanwen',
      operation: 'tracking',
      numbers,
      headerNames: Object.keys(request.headers),
      arrivedAt,
    });
    const envelope = {
      requestTime: '2026-11-20T18:14:01.1609036+08:00',
      elapsedMilliseconds: { total: 155 },
    };
    const createFailureBody = () => ({ code: 1, message: CARRIER_SECRET, result: null, ...envelope });
    if (numbers.length > 30) return respond(response, 200, createFailureBody());
    const behaviours = numbers.map((number): [string, Behaviour] => [number, nextBehaviour(number)]);
    for (const [, behaviour] of behaviours)
      if (await respondToWholeRequest(response, behaviour, createFailureBody)) return;
    const result = behaviours.flatMap(([number, behaviour]) => yanwenRowsOf(number, behaviour));
    respond(response, 200, { code: 0, message: 'success', result, ...envelope });
  }

  const server = createServer((request, response) => {
    const arrivedAt = performance.now();
    const serve = request.url?.startsWith('/track/v2.2/') ? serve17Track : serveYanwen;
    serve(request, response, arrivedAt).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    track17Url: `${origin}/track/v2.2`,
    yanwenUrl: origin,
    requests,
    registeredNumbers,
    scriptRegistration: (behaviour) => {
      registrationBehaviour = behaviour;
    },
    script: (number, ...behaviours) => scripts.set(number, behaviours),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
