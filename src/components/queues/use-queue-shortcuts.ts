'use client';

import { useTranslations } from 'next-intl';
import { type PageShortcut, usePageShortcuts } from '../ui/keyboard/page-shortcuts';
import { ENTRY_LINK_SELECTOR } from './list/entry-links';

type Action = () => unknown;

/**
 * The actions of the shortcuts. An action that the queue does not have or the user's role does not allow is absent, and so is its
 * shortcut.
 */
interface QueueActions {
  move: (steps: 1 | -1) => void;
  open?: Action;
  reply?: Action;
  work?: {
    select: Action;
    note?: Action;
    undo: Action;
    /** Absent while handled or snoozed entries are shown. The list of shortcuts still includes them. */
    openEntryActions?: { handle: Action; snooze: Action; assign: Action };
    /** Returns an action that, while the Snooze menu is open, chooses the time at this index. */
    snoozeActionAt: (index: number) => Action;
  };
}

/** Registers the shortcuts of a queue's page, and returns them in the order in which they are listed. */
export function useQueueShortcuts({ move, open, reply, work }: QueueActions): readonly PageShortcut[] {
  const t = useTranslations('queues');
  const shortcuts: PageShortcut[] = [
    { keys: ['J', 'K'], label: t('keys.move'), on: { j: () => move(1), k: () => move(-1) } },
  ];
  if (open) shortcuts.push({ keys: ['Enter'], label: t('keys.open'), on: { enter: open } });
  if (reply) shortcuts.push({ keys: ['R'], label: t('keys.reply'), on: { r: reply } });
  if (work) {
    const { select, note, undo, openEntryActions, snoozeActionAt } = work;
    shortcuts.push(
      { keys: ['X'], label: t('keys.select'), on: { ' ': select, x: select } },
      { keys: ['H'], label: t('keys.handled'), on: { h: openEntryActions?.handle } },
      {
        keys: ['S'],
        label: t('keys.snooze'),
        on: { s: openEntryActions?.snooze, 1: snoozeActionAt(0), 2: snoozeActionAt(1), 3: snoozeActionAt(2) },
      },
      { keys: ['A'], label: t('keys.assign'), on: { a: openEntryActions?.assign } },
      ...(note ? [{ keys: ['N'], label: t('keys.note'), on: { n: note } }] : []),
      { keys: ['U'], label: t('keys.undo'), on: { u: undo } },
    );
  }
  usePageShortcuts(shortcuts, ENTRY_LINK_SELECTOR);
  return shortcuts;
}
