/** A page or response as a browser receives it, without following redirects. */
export interface BrowserResponse {
  status: number;
  headers: Headers;
  /** The absolute URL that a redirect leads to; null for any other response. */
  location: string | null;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  json: any;
}

type HeaderFields = Record<string, string>;

/** A browser from the server's point of view: it stores and returns cookies, and sends an Origin header with POST requests. */
export interface BrowserSession {
  baseUrl: string;
  /** The values of the cookies by name. Tests change this map to steal or tamper with cookies. */
  cookies: Map<string, string>;
  get(path: string, headers?: HeaderFields): Promise<BrowserResponse>;
  /** Posts a form like a page of the same origin. Pass an `Origin` header to post from another origin. */
  postForm(path: string, fields: Record<string, string>, headers?: HeaderFields): Promise<BrowserResponse>;
  postJson(path: string, body: unknown, headers?: HeaderFields): Promise<BrowserResponse>;
}

function storeCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const setCookie of headers.getSetCookie()) {
    const [pair = '', ...attributes] = setCookie.split(';');
    const equalsIndex = pair.indexOf('=');
    const name = pair.slice(0, equalsIndex).trim();
    const isExpired = attributes.some((attribute) => {
      const [key = '', value = ''] = attribute.trim().split('=');
      if (/^max-age$/i.test(key)) return Number(value) <= 0;
      return /^expires$/i.test(key) && Date.parse(value) <= Date.now();
    });
    if (isExpired) cookies.delete(name);
    else cookies.set(name, pair.slice(equalsIndex + 1).trim());
  }
}

/** Creates a browser without cookies. Paths may be full URLs of the same server. */
export function createBrowserSession(baseUrl: string): BrowserSession {
  const cookies = new Map<string, string>();
  const { origin } = new URL(baseUrl);

  const send = async (method: string, path: string, headers: HeaderFields, body?: string) => {
    const url = new URL(path, baseUrl);
    if (url.origin !== origin) throw new Error(`${url.origin} is not ${origin}.`);
    const cookieHeader = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      method,
      headers: { ...(cookieHeader ? { Cookie: cookieHeader } : {}), ...headers },
      body,
      redirect: 'manual',
    });
    storeCookies(cookies, response.headers);
    const text = await response.text();
    const location = response.headers.get('location');
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return {
      status: response.status,
      headers: response.headers,
      location: location === null ? null : new URL(location, url).href,
      text,
      json,
    };
  };

  return {
    baseUrl,
    cookies,
    get: (path, headers = {}) => send('GET', path, headers),
    postForm: (path, fields, headers = {}) =>
      send(
        'POST',
        path,
        { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin, ...headers },
        new URLSearchParams(fields).toString(),
      ),
    postJson: (path, body, headers = {}) =>
      send(
        'POST',
        path,
        { 'Content-Type': 'application/json', Origin: origin, ...headers },
        JSON.stringify(body),
      ),
  };
}

/**
 * Signs a user in by password, as the sign-in page does.
 *
 * @returns a 200 with the page to go to, a 401 whose `url` names the failure, or another refusal, such as a 503
 */
export async function signIn(
  session: BrowserSession,
  input: { email: string; password: string; code?: string },
): Promise<BrowserResponse> {
  const { csrfToken } = (await session.get('/api/auth/csrf')).json;
  return session.postForm('/api/auth/callback/credentials', { ...input, csrfToken, json: 'true' });
}
