'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';

/** Says that what was typed is kept and not saved, with the way to get rid of it. */
export function Unsaved({ of: { isUnsaved, discard } }: { of: { isUnsaved: boolean; discard: () => void } }) {
  const t = useTranslations('common');
  return (
    <Group gap={4} role="status" mih={28} mr="auto">
      {isUnsaved && (
        <>
          <Text size="sm" c="dimmed">
            {t('unsaved.title')}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={discard}>
            {t('unsaved.discard')}
          </Button>
        </>
      )}
    </Group>
  );
}
