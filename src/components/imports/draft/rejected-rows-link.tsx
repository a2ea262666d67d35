'use client';

import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';

/** Downloads the rejected rows as a workbook that can be fixed and imported again. */
export function RejectedRowsLink({ draftId }: { draftId: string }) {
  const t = useTranslations('import');
  return (
    <Button
      component="a"
      href={`/api/downloads/bad-rows?draft=${draftId}`}
      download
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
    >
      {t('rejected.download')}
    </Button>
  );
}
