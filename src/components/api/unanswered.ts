/** The mutations that store nothing: they are mutations because their input is long or because they call another service. */
const STORES_NOTHING = /\.(?:check|confirm|preview|readFile|test|translate|try)/;

/**
 * Returns whether a call that gets no response may have been carried out all the same, because only the response was lost. Call it
 * before the call is sent: what a browser that is offline sends does not reach the service.
 */
export const mayBeDoneUnanswered = ({ type, path }: { type: string; path: string }): boolean =>
  type === 'mutation' && navigator.onLine && !STORES_NOTHING.test(path);
