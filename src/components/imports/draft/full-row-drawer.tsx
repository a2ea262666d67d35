'use client';

import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { SideDrawer } from '../../ui/dialog/dialog';
import { useReasonText } from '../../ui/feedback/reason-text';
import { cellTextOf, type FixedCells, type RejectedRow } from './rejected-row';

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  row: RejectedRow;
  /** How many columns the header has; a row may have fewer or more. */
  columnCount: number;
  nameOf: (column: number) => string;
  onFix: (cells: FixedCells) => Promise<unknown>;
}

/** All cells of a rejected row, because the cause of a problem may be in another cell. */
export function FullRowDrawer(props: Props) {
  return (
    <SideDrawer opened={props.opened} onClose={props.onClose} title={props.title} keepMounted={false}>
      <Cells {...props} />
    </SideDrawer>
  );
}

function Cells({ row, columnCount, nameOf, onFix, onClose }: Props) {
  const reasonText = useReasonText();
  const t = useTranslations('import');
  const common = useTranslations('common');
  const [texts, setTexts] = useState(() =>
    Array.from({ length: Math.max(row.cells.length, columnCount) }, (_, column) => cellTextOf(row, column)),
  );
  const [busy, setBusy] = useState(false);
  const fixedCells = texts.flatMap((value, column) =>
    value === cellTextOf(row, column) ? [] : [{ row: row.row, column, value }],
  );
  const saveCells = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onFix(fixedCells);
      onClose();
    } catch {
      // The shared error handler has shown the error.
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={saveCells}>
      <Stack gap="sm">
        {texts.map((text, column) => {
          const problem = row.problems.find((candidate) => candidate.column === column);
          return (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
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
          <Button type="submit" loading={busy} disabled={fixedCells.length === 0}>
            {t('rejected.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
