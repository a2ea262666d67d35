'use client';

import { Button, Drawer, Group, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { useReasonText } from '../ui/feedback/reason-text';
import { cellText, type MendedCells, type RejectedRow } from './rejected-row';

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  row: RejectedRow;
  /** How many the header has; a row may have fewer. */
  columns: number;
  nameOf: (column: number) => string;
  onMend: (cells: MendedCells) => Promise<unknown>;
}

/** Every cell of a rejected row, for what is wrong with it may be seen, and mended, in another one. */
export function WholeRow(props: Props) {
  const common = useTranslations('common');
  return (
    <Drawer
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ 'aria-label': common('close') }}
      keepMounted={false}
    >
      <Cells {...props} />
    </Drawer>
  );
}

function Cells({ row, columns, nameOf, onMend, onClose }: Props) {
  const reasonText = useReasonText();
  const t = useTranslations('import');
  const common = useTranslations('common');
  const [texts, setTexts] = useState(() =>
    Array.from({ length: Math.max(row.cells.length, columns) }, (_, column) => cellText(row, column)),
  );
  const [busy, setBusy] = useState(false);
  const mended = texts.flatMap((value, column) =>
    value === cellText(row, column) ? [] : [{ row: row.row, column, value }],
  );
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onMend(mended);
      onClose();
    } catch {
      // The one handler of errors has told it.
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        {texts.map((text, column) => {
          const problem = row.problems.find((one) => one.column === column);
          return (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
              key={column}
              label={nameOf(column)}
              value={text}
              error={problem && reasonText(problem)}
              autoComplete="off"
              spellCheck={false}
              onChange={({ currentTarget: { value } }) => setTexts(texts.with(column, value))}
            />
          );
        })}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={mended.length === 0}>
            {t('rejected.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
