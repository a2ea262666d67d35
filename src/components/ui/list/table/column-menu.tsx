'use client';

import { ActionIcon, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ColumnChoice } from './column-choice';
import type { Column } from './list-table';

/** Chooses the columns of a list. The column that names the row always stays. */
export function ColumnMenu<Row>({
  columns,
  choice,
}: {
  columns: readonly Column<Row>[];
  choice: ColumnChoice<Row>;
}) {
  const t = useTranslations('common');
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          data-columns
          variant="default"
          size={36}
          aria-label={t('list.columns')}
          title={t('list.columns')}
        >
          <IconColumns3 size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
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
      </Popover.Dropdown>
    </Popover>
  );
}
