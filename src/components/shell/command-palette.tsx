'use client';

import { openSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconReceipt, IconSearch, IconShieldLock } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { useDesk } from './desk';
import { PAGE_NAMES } from './navigation';
import { usePages } from './side-navigation';

/** Every page by its name, and a search of orders for what was typed. Loaded when it is first asked for; opens whenever `asked` grows. */
export function CommandPalette({ asked }: { asked: number }) {
  const t = useTranslations('shell');
  const router = useRouter();
  const { prefix } = useDesk();
  const { daily, administration } = usePages();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  useEffect(() => {
    if (asked > 0) openSpotlight();
  }, [asked]);
  const pages = [...daily, ...administration].flatMap(
    ({ id: place, path: at, icon: PageIcon, parts = [{ id: place, path: at }] }): SpotlightActionData[] =>
      parts.map(({ id, path }) => ({
        id,
        label: id === place ? t(PAGE_NAMES[id]) : `${t(PAGE_NAMES[place])} · ${t(PAGE_NAMES[id])}`,
        leftSection: <PageIcon size={18} stroke={1.75} />,
        onClick: () => router.push(prefix + path),
      })),
  );
  const account: SpotlightActionData = {
    id: 'account',
    label: t('account'),
    leftSection: <IconShieldLock size={18} stroke={1.75} />,
    onClick: () => router.push(`${prefix}/account`),
  };
  const orders: SpotlightActionData = {
    id: 'orders-search',
    label: t('palette.searchOrders', { text: wanted }),
    leftSection: <IconReceipt size={18} stroke={1.75} />,
    onClick: () => router.push(`${prefix}/orders?${new URLSearchParams({ q: wanted })}`),
  };
  const searchable = wanted !== '' && [...daily, ...administration].some(({ id }) => id === 'orders');
  return (
    <Spotlight
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      attributes={{ content: { 'aria-label': t('palette.open') } }}
      actions={[...pages, account, ...(searchable ? [orders] : [])]}
      nothingFound={t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={400}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.75} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
      }}
    />
  );
}
