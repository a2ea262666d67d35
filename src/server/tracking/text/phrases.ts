import type { TrackingStatus } from '../../core/statuses';
import { statusOfSubStatus } from '../status';
import { type Phrase, WORDS_BY_STATUS } from './status-words';

const foldSuffix = (suffix: string) => suffix.toLowerCase().replace(/[^a-z]/g, '');

const PHRASE_BY_KEY = new Map(
  Object.entries(WORDS_BY_STATUS).flatMap(([status, { main, bySubStatus = {} }]) =>
    [['', main] as const, ...Object.entries(bySubStatus)].map(([suffix, words]): [string, Phrase] => [
      `${status} ${foldSuffix(suffix)}`,
      { isSent: true, locationRule: 'any', ...words },
    ]),
  ),
);

/**
 * Returns the words for a status. The sub-status is 17TRACK's (`InTransit_PickedUp`) or only its last part. It is ignored if it
 * is unknown or belongs to another status.
 */
export function phraseOf(status: TrackingStatus, subStatus: string | null): Phrase {
  const mainStatus = statusOfSubStatus(subStatus);
  const suffix =
    mainStatus === null ? subStatus : mainStatus === status ? subStatus?.replace(/^[^_]*_?/, '') : null;
  return PHRASE_BY_KEY.get(`${status} ${foldSuffix(suffix ?? '')}`) ?? PHRASE_BY_KEY.get(`${status} `)!;
}

/** Fills in the time: `{on|}` becomes "on" and the time, or the part after the bar if the time is unknown. */
export function withTime(words: string, time: string | null): string {
  return words.replace(/\{([^|}]*)\|?([^}]*)\}/g, (_, wordsBeforeTime: string, wordsWithoutTime: string) =>
    time === null ? wordsWithoutTime : `${wordsBeforeTime} ${time}`,
  );
}
