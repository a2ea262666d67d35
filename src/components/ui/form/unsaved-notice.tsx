'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';

/** Says that there are unsaved changes, with a button to discard them. */
export function UnsavedNotice({
  state: { isUnsaved, discardChanges },
}: {
  state: { isUnsaved: boolean; discardChanges: () => void };
}) {
  const t = useTranslations('common');
  return (
    <Group gap={4} role="status" mih={28} mr="auto">
      {isUnsaved && (
        <>
          <Text size="sm" c="dimmed">
            {t('unsaved.title')}
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
