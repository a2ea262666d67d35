import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { AppRouter } from '../../server/api/router';
import { failureOf } from './service-error';

/** The mutations that store nothing: they are mutations because their input is long or because they call another service. */
export const STORES_NOTHING = /\.(?:check|confirm|preview|readFile|test|translate|try)/;

/**
 * Returns whether a call that gets no response may have been carried out all the same, because only the response was lost. Call it
 * before the call is sent: what a browser that is offline sends does not reach the service.
 */
const mayBeDoneUnanswered = ({ type, path }: { type: string; path: string }): boolean =>
  type === 'mutation' && navigator.onLine && !STORES_NOTHING.test(path);

/**
 * Returns a link that asks the user for confirmation when the service requires it, then repeats the call once. If the user
 * declines, the call fails with the service's own error. Marks the errors of calls that may have been carried out, for `failureOf`.
 * @param ask asks for the password of a user who has one, and for a code if they have a second factor; returns whether the user has
 * confirmed
 */
export function confirmLink(ask: () => Promise<boolean>): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let subscription: Unsubscribable | undefined;
        let isUnsubscribed = false;
        const mayBeDone = mayBeDoneUnanswered(op);
        const startCall = (isRetry: boolean) => {
          subscription = next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error(error) {
              error.meta = { ...error.meta, mayBeDone };
              if (isRetry || failureOf(error).code !== 'confirmation_required') {
                observer.error(error);
                return;
              }
              void ask().then((confirmed) => {
                if (isUnsubscribed) return;
                if (confirmed) startCall(true);
                else observer.error(error);
              });
            },
          });
        };
        startCall(false);
        return () => {
          isUnsubscribed = true;
          subscription?.unsubscribe();
        };
      });
}

/** Asks the user of a page to confirm who they are. Opens one dialog at a time: while it is open, `ask` waits for its result. */
export class Confirmation {
  #resolve: ((confirmed: boolean) => void) | null = null;
  #pendingResult: Promise<boolean> | null = null;
  #wasAsked = false;
  readonly #listeners = new Set<() => void>();

  /** Opens the dialog if it is closed, and returns whether the user has confirmed. */
  readonly ask = (): Promise<boolean> => {
    this.#pendingResult ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#wasAsked = true;
    this.#notify();
    return this.#pendingResult;
  };

  /** Closes the dialog and settles the waiting calls. */
  readonly answer = (confirmed: boolean): void => {
    this.#resolve?.(confirmed);
    this.#resolve = null;
    this.#pendingResult = null;
    this.#notify();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns whether the dialog has ever been opened. */
  readonly wasAsked = (): boolean => this.#wasAsked;

  readonly isOpen = (): boolean => this.#pendingResult !== null;

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
