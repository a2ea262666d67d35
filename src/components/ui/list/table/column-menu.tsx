'use client';

import { ActionIcon, Checkbox, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { PopoverButton } from '../../floating/popover-button';
import type { ColumnVisibility } from './column-visibility';
import type { Column } from './list-table';

/** The menu that chooses the columns of a list. The column that names the row is always shown. */
export function ColumnMenu<Row>({
  columns,
  choice,
}: {
  columns: readonly Column<Row>[];
  choice: ColumnVisibility<Row>;
}) {
  const t = useTranslations('common');
  return (
    <PopoverButton
      button={
        <ActionIcon
          data-columns
          variant="default"
          size={36}
          aria-label={t('list.columns')}
          title={t('list.columns')}
        >
          <IconColumns3 size={18} stroke={1.75} />
        </ActionIcon>
      }
    >
      {() => (
        <Stack gap="sm">
          {columns.map(({ key, label, heading }) => (
            <Checkbox
              key={key}
              label={label}
              checked={choice.isVisible(key)}
              disabled={heading}
              onChange={() => choice.toggle(key)}
            />
          ))}
        </Stack>
      )}
    </PopoverButton>
  );
}
