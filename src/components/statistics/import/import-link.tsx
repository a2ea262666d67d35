'use client';

import { Button } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { useBackOffice } from '../../shell/back-office';

/** A link to the CSV import of one kind of statistics; hidden from users who may not import. */
export function ImportLink({ kind }: { kind: 'shop' | 'listing' }) {
  const t = useTranslations('statistics');
  const { prefix, user } = useBackOffice();
  if (!hasPermission(user.role, 'statistics.write')) return null;
  return (
    <Button component={Link} href={`${prefix}/statistics/import?kind=${kind}`}>
      {t('import.link')}
    </Button>
  );
}
