import type { Exchange } from '../exchange';

/** Next's response, reduced to the methods that next-auth uses. */
interface NextResponse {
  status(code: number): NextResponse;
  setHeader(name: string, value: number | string | string[]): NextResponse;
  getHeader(name: string): number | string | string[] | undefined;
  json(value: unknown): void;
  send(value: unknown): void;
  end(value?: string): void;
}

/** next-auth's response, held until we know whether to send it. */
export interface BufferedResponse {
  response: NextResponse;
  /** Adds one of our cookies to next-auth's. */
  addCookie(setCookieValue: string): void;
  /** Sends the whole response. */
  release(exchange: Exchange): void;
}

/**
 * Returns a response that is buffered until it is released. next-auth treats every error as a refusal: during a database outage
 * it would sign users out and show the error's own text.
 */
export function createBufferedResponse(): BufferedResponse {
  let status = 200;
  let body = '';
  const headers = new Map<string, number | string | string[]>();
  const addedCookies: string[] = [];
  const response: NextResponse = {
    status(code) {
      status = code;
      return response;
    },
    setHeader(name, value) {
      headers.set(name.toLowerCase(), value);
      return response;
    },
    getHeader: (name) => headers.get(name.toLowerCase()),
    json(value) {
      headers.set('content-type', 'application/json; charset=utf-8');
      body = JSON.stringify(value);
    },
    send(value) {
      if (typeof value === 'string' || value === undefined) body = value ?? '';
      else response.json(value ?? {});
    },
    end(value = '') {
      body = value;
    },
  };
  return {
    response,
    addCookie: (setCookieValue) => void addedCookies.push(setCookieValue),
    release({ res }) {
      const nextAuthCookies = headers.get('set-cookie') ?? [];
      const cookies = [
        ...(Array.isArray(nextAuthCookies) ? nextAuthCookies : [String(nextAuthCookies)]),
        ...addedCookies,
      ];
      res.statusCode = status;
      for (const [name, value] of headers) res.setHeader(name, value);
      if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
      res.setHeader('Cache-Control', 'no-store');
      res.end(body);
    },
  };
}
