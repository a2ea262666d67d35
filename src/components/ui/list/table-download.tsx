'use client';

import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useReaderZone } from '../value/zones';

interface Props {
  /** The download's path below `/api/downloads/`. */
  path: string;
  /** What the page asks for its rows, without the page of the list. */
  input: object;
  /** The keys of the columns that are shown; all of them by default. */
  columns?: readonly string[];
  size?: 'xs' | 'sm';
  /** Other downloads of the same figures. */
  children?: ReactNode;
}

/** Downloads a table as it is shown, with the rows of all of its pages, as a workbook or as CSV. */
export function TableDownload({ path, input, columns = [], size = 'sm', children }: Props) {
  const t = useTranslations('common');
  const language = useLocale();
  const zone = useReaderZone();
  const item = (format: 'csv' | 'xlsx', name: string) => {
    const query = new URLSearchParams([
      ['format', format],
      ['language', language],
      ['zone', zone],
      ...columns.map((column) => ['column', column]),
      ['input', JSON.stringify(input)],
    ]);
    return (
      <Menu.Item component="a" href={`/api/downloads/${path}?${query}`} download>
        {name}
      </Menu.Item>
    );
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size={size}
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('list.download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('list.asShown')}</Menu.Label>
        {item('xlsx', t('list.excel'))}
        {item('csv', 'CSV')}
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
