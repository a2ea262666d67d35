import { z } from 'zod';

/** Returns whether a URL is https. Decided by the parsed URL, since `HTTPS://shop.example` is https too. */
export const isHttps = (url: string): boolean => new URL(url).protocol === 'https:';

const isWebUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Returns why a text cannot be a setting to which paths are appended; null if it can. Never quotes it: it may hold a password. */
function findUrlProblem(text: string): string | null {
  // The parser would drop spaces at the ends, and line breaks anywhere.
  if (/\s/.test(text)) return 'must not contain spaces or line breaks';
  if (!isWebUrl(text)) return 'must be an http(s) URL';
  const { href, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (/[?#]/.test(href)) return 'must end before any ? or #, because paths are appended to it';
  return null;
}

/**
 * A setting that is an http(s) URL without credentials, query and fragment. The value is the normalized URL without slashes at its
 * end, so that it can be compared and paths can be appended.
 */
export const webUrl = z.string().transform((text, context) => {
  const problem = findUrlProblem(text);
  if (problem === null) return new URL(text).href.replace(/\/+$/, '');
  context.addIssue({ code: 'custom', message: problem });
  return z.NEVER;
});

/** Returns why a text cannot be what a browser sends in `Origin`; null if it can. */
function findOriginProblem(text: string): string | null {
  if (text.includes('*'))
    return 'must name each origin in full, such as https://a.shop.example: a * matches nothing';
  const end = text.replace(/^https?:\/\//i, '');
  if (end === text || /[/?#@\\\s]/.test(end) || !isWebUrl(text))
    return 'must be origins such as https://shop.example: scheme, host and, if it is not the default, port';
  return null;
}

/**
 * A setting that is an origin. The value is written as browsers send it: scheme and host in lower case, without the scheme's default
 * port.
 */
export const webOrigin = z.string().transform((text, context) => {
  const problem = findOriginProblem(text);
  if (problem === null) return new URL(text).origin;
  context.addIssue({ code: 'custom', message: problem });
  return z.NEVER;
});
