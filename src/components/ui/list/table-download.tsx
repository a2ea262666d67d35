'use client';

import { Button } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import type { SheetFormat } from '../../../server/core/spreadsheet/formats';
import type { MenuEntry } from '../floating/menu';
import { MenuButton } from '../floating/menu-button';
import { useReaderZone } from '../value/time/zones';

interface Props {
  /** The download's path below `/api/downloads/`. */
  path: string;
  /** The input of the page's query, without the cursor. */
  input: object;
  /** The keys of the columns that are shown; all of them by default. */
  columns?: readonly string[];
  size?: 'xs' | 'sm';
  /** Other downloads of the same figures. */
  otherDownloads?: readonly MenuEntry[];
}

/** A button that downloads a table as shown, with the rows of all pages, as a workbook or as CSV. */
export function TableDownload({ path, input, columns = [], size = 'sm', otherDownloads = [] }: Props) {
  const t = useTranslations('common');
  const language = useLocale();
  const zone = useReaderZone();
  const menuEntryFor = (format: SheetFormat, name: string) => {
    const query = new URLSearchParams([
      ['format', format],
      ['language', language],
      ['zone', zone],
      ...columns.map((column) => ['column', column]),
      ['input', JSON.stringify(input)],
    ]);
    return { label: name, fileUrl: `/api/downloads/${path}?${query}` };
  };
  return (
    <MenuButton
      button={
        <Button
          variant="default"
          size={size}
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('list.download')}
        </Button>
      }
      entries={[
        { heading: t('list.asShown') },
        menuEntryFor('xlsx', t('list.excel')),
        menuEntryFor('csv', 'CSV'),
        ...otherDownloads,
      ]}
    />
  );
}
