import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { AppRouter } from '../../server/api/router';
import { failureOf } from './service-error';

/**
 * When the service requires confirmation, asks the user for it and then repeats the call, once. If the user declines, the call
 * fails with the service's own error.
 *
 * @param ask asks for the password, and code; returns whether they were accepted
 */
export function confirmLink(ask: () => Promise<boolean>): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let running: Unsubscribable | undefined;
        let gone = false;
        const call = (isSecond: boolean) => {
          running = next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error(error) {
              if (isSecond || failureOf(error).code !== 'confirmation_required') {
                observer.error(error);
                return;
              }
              void ask().then((given) => {
                if (gone) return;
                if (given) call(true);
                else observer.error(error);
              });
            },
          });
        };
        call(false);
        return () => {
          gone = true;
          running?.unsubscribe();
        };
      });
}

/** One dialog at a time: a call made while it is open waits for its result. */
export class Confirmation {
  #answer: ((given: boolean) => void) | null = null;
  #pending: Promise<boolean> | null = null;
  #wasAsked = false;
  readonly #listeners = new Set<() => void>();

  readonly ask = (): Promise<boolean> => {
    this.#pending ??= new Promise((resolve) => {
      this.#answer = resolve;
    });
    this.#wasAsked = true;
    this.#tell();
    return this.#pending;
  };

  /** Closes the dialog. */
  readonly answer = (given: boolean): void => {
    this.#answer?.(given);
    this.#answer = null;
    this.#pending = null;
    this.#tell();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether the dialog has been opened yet. */
  readonly wasAsked = (): boolean => this.#wasAsked;

  readonly isOpen = (): boolean => this.#pending !== null;

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
