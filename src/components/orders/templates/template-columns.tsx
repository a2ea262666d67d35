'use client';

import { ActionIcon, Group, Input, Select, Stack, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useRef } from 'react';
import { useTRPC } from '../../api/client';
import type { RouterInputs, RouterOutputs } from '../../api/router-types';

type Columns = RouterInputs['exports']['saveTemplate']['columns'];
type ColumnName = RouterOutputs['exports']['columns'][number]['column'];

const NO_COLUMNS: RouterOutputs['exports']['columns'] = [];

/** Returns all columns that a template may have, and a function that names them in the reader's language. */
export function useKnownColumns() {
  const t = useTranslations('export');
  const locale = useLocale();
  const trpc = useTRPC();
  const { data: columns = NO_COLUMNS } = useQuery(
    trpc.exports.columns.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const nameByColumn = new Map(columns.map((column) => [column.column, column[locale] || t('blank')]));
  return { columns, nameOf: (column: ColumnName) => nameByColumn.get(column) ?? column };
}

/** Edits a template's columns, their order and their headers. Everything works with the keyboard. */
export function TemplateColumns({
  value,
  onChange,
  error,
}: {
  value: Columns;
  onChange: (columns: Columns) => void;
  error?: ReactNode;
}) {
  const t = useTranslations('export');
  const listRef = useRef<HTMLDivElement>(null);
  const { columns, nameOf } = useKnownColumns();
  const usedColumns = new Set(value.map(({ column }) => column));
  const availableColumns = columns.filter(({ column }) => column === 'blank' || !usedColumns.has(column));
  const createOptionGroup = (scope: 'order' | 'item', label: string) => ({
    group: label,
    items: availableColumns
      .filter((column) => column.scope === scope)
      .map(({ column }) => ({ value: column, label: nameOf(column) })),
  });
  const moveColumn = (position: number, step: -1 | 1) => {
    const reorderedColumns = [...value];
    [reorderedColumns[position], reorderedColumns[position + step]] = [
      reorderedColumns[position + step]!,
      reorderedColumns[position]!,
    ];
    onChange(reorderedColumns);
    // The focus would stay on the old row, so it is moved along with the column.
    const row = listRef.current?.children[position + step];
    const button = row?.querySelectorAll<HTMLButtonElement>('button')[step < 0 ? 0 : 1];
    button?.focus();
  };
  const hasItemColumns = columns.some(({ column, scope }) => scope === 'item' && usedColumns.has(column));
  return (
    <Input.Wrapper
      label={t('columns')}
      labelElement="div"
      description={hasItemColumns ? t('perItem') : t('perOrder')}
      error={error}
    >
      <Stack gap="xs" mt="xs" ref={listRef}>
        {value.map(({ column, header }, index) => {
          const name = nameOf(column);
          const renderArrow = (step: -1 | 1) => {
            const isAtEnd = index + step < 0 || index + step >= value.length;
            return (
              <ActionIcon
                variant="subtle"
                color="gray"
                c="var(--mantine-color-text)"
                aria-label={t(step < 0 ? 'up' : 'down', { name })}
                aria-disabled={isAtEnd}
                opacity={isAtEnd ? 0.4 : 1}
                onClick={() => !isAtEnd && moveColumn(index, step)}
              >
                {step < 0 ? (
                  <IconArrowUp size={16} stroke={1.75} />
                ) : (
                  <IconArrowDown size={16} stroke={1.75} />
                )}
              </ActionIcon>
            );
          };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: blank columns have no other identity
            <Group key={index} gap={4} wrap="nowrap">
              {renderArrow(-1)}
              {renderArrow(1)}
              <TextInput
                style={{ flex: 1 }}
                aria-label={t('header', { name })}
                placeholder={name}
                value={header ?? ''}
                maxLength={100}
                onChange={({ currentTarget: { value: text } }) =>
                  onChange(
                    value.map((settings, position) =>
                      position === index ? { column, ...(text === '' ? {} : { header: text }) } : settings,
                    ),
                  )
                }
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                c="var(--mantine-color-text)"
                aria-label={t('drop', { name })}
                onClick={() => onChange(value.filter((_, position) => position !== index))}
              >
                <IconX size={16} stroke={1.75} />
              </ActionIcon>
            </Group>
          );
        })}
      </Stack>
      <Select
        mt="xs"
        aria-label={t('addColumn')}
        placeholder={t('addColumn')}
        searchable
        value={null}
        data={[createOptionGroup('order', t('orderColumns')), createOptionGroup('item', t('itemColumns'))]}
        onChange={(column) => column && onChange([...value, { column: column as ColumnName }])}
      />
    </Input.Wrapper>
  );
}
