import type { IncomingMessage, ServerResponse } from 'node:http';

/** The requests whose clients wait for our permission to send the body, with the responses that can give it. */
const waitingRequests = new WeakMap<IncomingMessage, ServerResponse>();

/** Notes that a client waits for `100 Continue` before it sends the body (`Expect: 100-continue`). */
export function deferContinue(req: IncomingMessage, res: ServerResponse): void {
  waitingRequests.set(req, res);
}

/**
 * Tells a client that waits for it to send the body. Call it when the body is about to be read: a client whose request is refused
 * before, because of its credential, size or type, then does not send its body needlessly.
 */
export function sendContinue(req: IncomingMessage): void {
  const res = waitingRequests.get(req);
  waitingRequests.delete(req);
  if (res && !res.headersSent && !res.destroyed) res.writeContinue();
}
