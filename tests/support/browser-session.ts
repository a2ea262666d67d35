/** A page or answer as a browser gets it, redirects not followed. */
export interface BrowserAnswer {
  status: number;
  headers: Headers;
  /** Where a redirect leads, whole; null where it is none. */
  location: string | null;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
}

type Headed = Record<string, string>;

/** What a browser is to the server: cookies that it keeps and sends back, and an Origin with what its pages post. */
export interface BrowserSession {
  baseUrl: string;
  /** By name; change it to try what a thief or a tamperer would. */
  cookies: Map<string, string>;
  get(path: string, headers?: Headed): Promise<BrowserAnswer>;
  /** Posts a form as a page of the same origin does; pass `Origin` to come from elsewhere. */
  postForm(path: string, fields: Record<string, string>, headers?: Headed): Promise<BrowserAnswer>;
  postJson(path: string, body: unknown, headers?: Headed): Promise<BrowserAnswer>;
}

function keepCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';');
    const mark = pair.indexOf('=');
    const name = pair.slice(0, mark).trim();
    const over = attributes.some((attribute) => {
      const [key = '', value = ''] = attribute.trim().split('=');
      if (/^max-age$/i.test(key)) return Number(value) <= 0;
      return /^expires$/i.test(key) && Date.parse(value) <= Date.now();
    });
    if (over) cookies.delete(name);
    else cookies.set(name, pair.slice(mark + 1).trim());
  }
}

/** A browser that has never been here. Paths may be whole URLs, of the same server. */
export function createBrowserSession(baseUrl: string): BrowserSession {
  const cookies = new Map<string, string>();
  const { origin } = new URL(baseUrl);

  const send = async (method: string, path: string, headers: Headed, body?: string) => {
    const url = new URL(path, baseUrl);
    if (url.origin !== origin) throw new Error(`${url.origin} is another server than ${origin}.`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      method,
      headers: { ...(cookie ? { Cookie: cookie } : {}), ...headers },
      body,
      redirect: 'manual',
    });
    keepCookies(cookies, response.headers);
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
 * Signs a person in by password, as the sign-in page does.
 *
 * @returns next-auth's answer; it is a 200 with the page to go to, or a 401 whose `url` names the failure
 */
export async function signIn(
  session: BrowserSession,
  input: { email: string; password: string; code?: string },
): Promise<BrowserAnswer> {
  const { csrfToken } = (await session.get('/api/auth/csrf')).json;
  return session.postForm('/api/auth/callback/credentials', { ...input, csrfToken, json: 'true' });
}
