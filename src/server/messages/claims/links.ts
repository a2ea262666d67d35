import { type Found, findClaims, findEach, type ReadClaim } from './claim';

const TLDS =
  'com|net|org|edu|gov|info|biz|io|co|me|app|dev|ai|ly|gl|gg|to|tv|cc|xyz|top|site|online|store|shop|link|click|club|live|page|us|uk|ca|au|de|fr|it|es|nl|be|at|ch|pl|se|no|dk|fi|ie|pt|cz|eu|ru|ua|tr|in|jp|kr|cn|hk|tw|sg|br|mx|ws|la';

const WITH_SCHEME = /(?:https?|ftp):\/\/[^\s<>"'`()[\]{}]+|(?<![\p{L}\p{N}])www\.[^\s<>"'`()[\]{}]+/giu;
const MAIL = /(?<![\w.+-])(?:mailto:)?[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[a-z]{2,24}/gi;
const BARE = new RegExp(
  `(?<![\\w@.-])(?:[a-z0-9-]{1,63}\\.){1,5}(?:${TLDS})(?![\\w-])(?:[/?#][^\\s<>"'\`()[\\]{}]*)?`,
  'gi',
);

/** One spelling for a link: without scheme, `www.` and a slash at its end; the host in small letters. */
function canonical(link: string): string {
  const bare = link
    .replace(/^(?:[a-z]+:\/\/|mailto:)/i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '');
  const end = bare.search(/[/?#]/);
  return end === -1 ? bare.toLowerCase() : bare.slice(0, end).toLowerCase() + bare.slice(end);
}

function linkClaim(found: string): ReadClaim[] {
  // What ends a sentence is no part of the link.
  const value = found.replace(/[.,;:!?*_~]{1,20}$/, '');
  const key = canonical(value);
  return [{ kind: 'link', value, asks: [key], gives: [key] }];
}

const FINDERS = [WITH_SCHEME, MAIL, BARE].map(
  (pattern) => (text: string) => findClaims(text, pattern, ([link]) => linkClaim(link!)),
);

/** The web and mail addresses that a text names. */
export function findLinks(text: string): Found {
  return findEach(text, FINDERS);
}
