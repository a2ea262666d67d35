import type { Operation } from './operations';

/** A response header, as OpenAPI describes it. */
interface Header {
  description: string;
  schema: object;
}

type Headers = Record<string, Header>;

const SECONDS_SCHEMA = { type: 'integer', minimum: 0 };

const REQUEST_ID_HEADER: Headers = {
  'X-Request-Id': {
    description: "The client's own X-Request-Id, or one generated for this request",
    schema: { type: 'string', maxLength: 128 },
  },
};

const RATE_LIMIT_HEADERS: Headers = {
  'RateLimit-Limit': {
    description: 'Requests that the key may make per minute',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'Requests left in the current minute',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': { description: 'Seconds until the next minute begins', schema: SECONDS_SCHEMA },
};

const RETRY_AFTER_HEADER: Headers = {
  'Retry-After': { description: 'Seconds to wait before trying again', schema: SECONDS_SCHEMA },
};

const ETAG_HEADER: Headers = {
  ETag: {
    description: 'Identifies this state of the list; send it as If-None-Match',
    schema: { type: 'string' },
  },
};

const REPLAY_HEADER: Headers = {
  'Idempotent-Replayed': {
    description: 'Present if this is the response to an earlier request with the same Idempotency-Key',
    schema: { type: 'string', const: 'true' },
  },
};

const CHALLENGE_HEADER: Headers = {
  'WWW-Authenticate': {
    description: 'The credential that is required, and what is wrong with a bearer token',
    schema: { type: 'string' },
  },
};

/** Returns whether a response with this status can be replayed for an Idempotency-Key; 401, 403, 429 and 5xx are not stored. */
const isReplayable = (status: string) => status === '200' || status === '404' || status === '422';

/** Returns the headers that matter to clients in an operation's response with this status. */
export function responseHeaders(operation: Operation, status: string): Headers {
  const requiresKey = operation.credential === 'key';
  const isChallenged = status === '401' || (status === '403' && !requiresKey);
  return {
    ...REQUEST_ID_HEADER,
    // Requests are only counted against a key once it is known to be valid.
    ...(requiresKey && status !== '401' ? RATE_LIMIT_HEADERS : {}),
    ...(isChallenged ? CHALLENGE_HEADER : {}),
    ...(status === '429' || status === '503' ? RETRY_AFTER_HEADER : {}),
    ...(operation.hasEtag && (status === '200' || status === '304') ? ETAG_HEADER : {}),
    ...(operation.acceptsIdempotencyKey && isReplayable(status) ? REPLAY_HEADER : {}),
  };
}

/** A request header. */
interface HeaderParameter extends Header {
  name: string;
  in: 'header';
  required: false;
}

const optionalHeader = (name: string, description: string, schema: object): HeaderParameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

/** Returns the headers that an operation reads in addition to its credential. */
export function requestHeaders({ hasEtag, acceptsIdempotencyKey }: Operation): HeaderParameter[] {
  return [
    ...(hasEtag
      ? [
          optionalHeader(
            'If-None-Match',
            'The ETag of the list that you have; the response is 304 if it is still current',
            {
              type: 'string',
            },
          ),
        ]
      : []),
    ...(acceptsIdempotencyKey
      ? [
          optionalHeader(
            'Idempotency-Key',
            'A new one for each new request. Within 24 hours, the same key with the same body returns the first response again; with another body it returns 422.',
            { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
          ),
        ]
      : []),
    optionalHeader('X-Request-Id', 'An id of your own for this request; anything else is replaced', {
      type: 'string',
      pattern: '^[A-Za-z0-9._-]{1,128}$',
    }),
  ];
}
