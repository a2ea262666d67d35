'use client';

import { CloseButton } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { focusRow } from '../table/list-rows';
import styles from './row-panel.module.css';

/**
 * A panel with the open row beside its list, which stays usable. The focus stays in the list: Tab moves from the row's link into
 * the panel, and Shift-Tab from the start of the panel back.
 */
export function RowPanel({
  rowKey,
  label,
  onClose,
  children,
}: {
  /** The key of the open row. */
  rowKey: string;
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useTranslations('common');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const focusPanelOnTab = (event: globalThis.KeyboardEvent) => {
      const { key, shiftKey, target } = event;
      const linkSelector = `tr[data-row="${CSS.escape(rowKey)}"] td[data-heading] a`;
      if (key !== 'Tab' || shiftKey || !(target instanceof Element) || !target.matches(linkSelector)) return;
      event.preventDefault();
      panel.current?.focus();
    };
    document.addEventListener('keydown', focusPanelOnTab);
    return () => document.removeEventListener('keydown', focusPanelOnTab);
  }, [rowKey]);
  const focusRowOnShiftTab = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || !event.shiftKey || event.target !== panel.current) return;
    event.preventDefault();
    focusRow(rowKey);
  };
  return (
    <aside
      ref={panel}
      className={styles.panel}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={focusRowOnShiftTab}
    >
      <CloseButton
        className={styles.close}
        aria-label={t('close')}
        onClick={() => {
          onClose();
          focusRow(rowKey);
        }}
      />
      {children}
    </aside>
  );
}
