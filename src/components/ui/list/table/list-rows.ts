'use client';

import { useTranslations } from 'next-intl';
import { type MouseEvent, useRef } from 'react';
import { focusTitle } from '../../keyboard/focus';
import { usePageShortcuts } from '../../keyboard/page-shortcuts';

/** The keys of the selected rows, and how to change them. */
export interface Selection {
  selectedKeys: readonly string[];
  onChange: (selectedKeys: readonly string[]) => void;
}

/** The row that is open beside the list, and functions that open rows there or on their own page. */
export interface OpenRow {
  /** The key of the row that is open. */
  openKey: string | null;
  /** Opens a row, in place of the open one if there is one. */
  open(key: string): void;
  close(): void;
  /** Goes to the row's own page. */
  goToPage(key: string): void;
}

const ROW_SELECTOR = 'tr[data-row]';
const LINK_SELECTOR = `${ROW_SELECTOR} td[data-heading] a`;
/** Elements that handle clicks themselves. */
const CLICK_HANDLER_SELECTOR = 'a, button, input, label, select, textarea';

const rowKeyOf = (element: Element | null) => element?.closest<HTMLElement>(ROW_SELECTOR)?.dataset.row;

/** Moves the focus to the link of a row or, if the list does not show the row, to the title of the page. */
export function focusRow(key: string): void {
  const link = document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(key)}"] td[data-heading] a`);
  if (link) link.focus();
  else focusTitle();
}

/** Returns a function that selects or deselects a row, or selects the range from the row that it was last called for. */
export function useRowSelection(keys: readonly string[], selection: Selection | undefined) {
  const lastChangedKey = useRef<string | null>(null);
  return (key: string, isRange: boolean) => {
    if (!selection) return;
    const { selectedKeys, onChange } = selection;
    const [firstIndex, lastIndex] = [keys.indexOf(lastChangedKey.current ?? key), keys.indexOf(key)].sort(
      (a, b) => a - b,
    ) as [number, number];
    lastChangedKey.current = key;
    if (isRange && firstIndex >= 0)
      onChange([...new Set([...selectedKeys, ...keys.slice(firstIndex, lastIndex + 1)])]);
    else
      onChange(
        selectedKeys.includes(key)
          ? selectedKeys.filter((otherKey) => otherKey !== key)
          : [...selectedKeys, key],
      );
  };
}

/**
 * Registers the shortcuts of a list whose rows open in a side panel. They act on the focused row, otherwise on the open one; Esc
 * always closes the open one.
 */
export function useRowShortcuts(
  keys: readonly string[],
  openRow: OpenRow,
  selectRow: ((key: string, isRange: boolean) => void) | undefined,
): void {
  const t = useTranslations('common');
  const currentKey = () => rowKeyOf(document.activeElement) ?? openRow.openKey ?? undefined;
  const createMove = (step: number) => () => {
    const index = keys.indexOf(currentKey() ?? '');
    const nextKey = index < 0 ? keys[0] : keys[Math.min(Math.max(index + step, 0), keys.length - 1)];
    if (nextKey === undefined) return;
    focusRow(nextKey);
    if (openRow.openKey !== null && nextKey !== openRow.openKey) openRow.open(nextKey);
  };
  // Without a current row, the arrows scroll the page.
  const createArrowMove = (step: number) => () => (currentKey() === undefined ? false : createMove(step)());
  const createRowAction = (act: (key: string) => unknown) => () => {
    const key = currentKey();
    return key === undefined ? false : act(key);
  };
  usePageShortcuts(
    [
      {
        keys: ['J', 'K'],
        label: t('list.keys.move'),
        on: {
          j: createMove(1),
          k: createMove(-1),
          arrowdown: createArrowMove(1),
          arrowup: createArrowMove(-1),
        },
      },
      {
        keys: ['Space'],
        label: t('list.keys.panel'),
        on: {
          ' ': ({ shiftKey }) =>
            createRowAction((key) => {
              if (shiftKey && selectRow) return selectRow(key, true);
              return openRow.openKey === key ? openRow.close() : openRow.open(key);
            })(),
        },
      },
      {
        keys: ['Enter'],
        label: t('list.keys.open'),
        // If the focus is in a row, the focused link or button handles Enter.
        on: { enter: () => (rowKeyOf(document.activeElement) ? false : createRowAction(openRow.goToPage)()) },
      },
      {
        keys: ['Esc'],
        label: t('list.keys.close'),
        on: {
          escape: () => {
            const { openKey } = openRow;
            if (openKey === null) return false;
            openRow.close();
            return focusRow(openKey);
          },
        },
      },
      ...(selectRow
        ? [
            {
              keys: ['X'],
              label: t('list.keys.select'),
              on: { x: createRowAction((key) => selectRow(key, false)) },
            },
            { keys: ['Shift Space'], label: t('list.keys.range'), on: {} },
          ]
        : []),
    ],
    LINK_SELECTOR,
  );
}

/**
 * Returns whether a click on a row opens it: not if it was on a control inside the row, had a modifier key other than Shift, or
 * selected text.
 */
export function isRowClick({ target, currentTarget, metaKey, ctrlKey, altKey }: MouseEvent): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  if (metaKey || ctrlKey || altKey || target.closest(CLICK_HANDLER_SELECTOR)) return false;
  return window.getSelection()?.type !== 'Range';
}
