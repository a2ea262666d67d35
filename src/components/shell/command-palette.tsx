'use client';

import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconSearch, IconShieldLock } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useDesk } from './desk';
import { PAGE_NAMES } from './navigation';
import { usePages } from './side-navigation';

/** Ctrl-K: every page by its name. */
export function CommandPalette() {
  const t = useTranslations('shell');
  const router = useRouter();
  const { prefix } = useDesk();
  const { daily, administration } = usePages();
  const pages: SpotlightActionData[] = [...daily, ...administration].map(({ id, path, icon: PageIcon }) => ({
    id,
    label: t(PAGE_NAMES[id]),
    leftSection: <PageIcon size={18} stroke={1.75} />,
    onClick: () => router.push(prefix + path),
  }));
  const account: SpotlightActionData = {
    id: 'account',
    label: t('account'),
    leftSection: <IconShieldLock size={18} stroke={1.75} />,
    onClick: () => router.push(`${prefix}/account`),
  };
  return (
    <Spotlight
      shortcut={['mod + K']}
      actions={[...pages, account]}
      nothingFound={t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={400}
      title={t('palette.open')}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.75} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
      }}
    />
  );
}
