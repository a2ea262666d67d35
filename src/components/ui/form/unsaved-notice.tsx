'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';

/** What a form says about its unsaved input. */
export interface UnsavedState {
  isUnsaved: boolean;
  /** Whether the last attempt to save had no response, so that it may have succeeded. */
  mayBeSaved: boolean;
  discardChanges: () => void;
}

/** Says that there are unsaved changes, with a button to discard them. */
export function UnsavedNotice({ state: { isUnsaved, mayBeSaved, discardChanges } }: { state: UnsavedState }) {
  const t = useTranslations('common');
  return (
    <Group gap={4} role="status" mih={28} mr="auto">
      {isUnsaved && (
        <>
          <Text size="sm" c="dimmed">
            {t(mayBeSaved ? 'unsaved.maybe' : 'unsaved.title')}
          </Text>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={({ currentTarget: { form } }) => {
              discardChanges();
              // The button disappears.
              form?.querySelector<HTMLElement>('input, textarea, select')?.focus();
            }}
          >
            {t('unsaved.discard')}
          </Button>
        </>
      )}
    </Group>
  );
}
