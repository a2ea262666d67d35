'use client';

import { Anchor, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { OpenedDialog } from '../ui/dialog/opened-dialog';
import { useShownShortcuts } from '../ui/keyboard/page-shortcuts';
import styles from './shortcuts-dialog.module.css';

/** The keyboard shortcuts of the page and those that work everywhere. Loaded when the dialog is first opened. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTranslations('shell');
  const pageShortcuts = useShownShortcuts();
  const globalShortcuts = [
    { keys: ['Ctrl K'], label: t('shortcuts.palette') },
    { keys: ['Ctrl Enter'], label: t('shortcuts.submit') },
    { keys: ['?'], label: t('shortcuts.help') },
  ];
  return (
    <OpenedDialog opened={opened} onClose={onClose} title={t('shortcuts.title')}>
      {pageShortcuts.length > 0 && <ShortcutList title={t('shortcuts.here')} shortcuts={pageShortcuts} />}
      <ShortcutList title={t('shortcuts.everywhere')} shortcuts={globalShortcuts} />
      <Text size="sm" mt="md">
        <Anchor href="/docs" target="_blank" rel="noreferrer" inherit>
          {t('shortcuts.docs')}
        </Anchor>
      </Text>
    </OpenedDialog>
  );
}

function ShortcutList({
  title,
  shortcuts,
}: {
  title: string;
  shortcuts: readonly { keys: readonly string[]; label: string }[];
}) {
  return (
    <>
      <Title order={3} mt="sm">
        {title}
      </Title>
      <dl className={styles.keys}>
        {shortcuts.map(({ keys, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
