'use client';

import { Anchor } from '@mantine/core';
import { useFormatter, useTranslations } from 'next-intl';
import type { Reason } from '../../../server/core/errors/reason';
import type { ServiceFailure } from '../../api/service-error';
import { useReasonText } from '../feedback/reason-text';
import { ListTable } from '../list/table/list-table';
import styles from './csv-import.module.css';

interface Problem {
  key: string;
  /** Null if the problem concerns the whole text. */
  line: number | null;
  column: string | null;
  reason: Reason;
}

/** Parses the position in a problem's path: `csv.<line>.<column>`. Any other path stands for the whole text. */
function parseProblem(problem: ServiceFailure['problems'][number], index: number): Problem {
  const [, line, column] = /^csv\.(\d+)\.(.+)$/.exec(problem.path) ?? [];
  return { key: String(index), line: line ? Number(line) : null, column: column ?? null, reason: problem };
}

/** The problems in CSV text, in the order of its lines. */
export function CsvProblems({
  problems,
  csv,
  onLineClick,
}: {
  problems: ServiceFailure['problems'];
  csv: string;
  onLineClick: (line: number) => void;
}) {
  const t = useTranslations('csv');
  const reasonText = useReasonText();
  const format = useFormatter();
  const sortedProblems = problems.map(parseProblem).sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const lines = csv.split('\n');
  return (
    <ListTable<Problem>
      label={t('problems')}
      rows={sortedProblems}
      rowKey={({ key }) => key}
      columns={[
        {
          key: 'line',
          label: t('line'),
          heading: true,
          render: ({ line }) =>
            line === null ? (
              '–'
            ) : (
              <Anchor
                component="button"
                type="button"
                className="figures tap-line"
                onClick={() => onLineClick(line)}
              >
                {t('lineNumber', { line: format.number(line) })}
              </Anchor>
            ),
        },
        {
          key: 'column',
          label: t('column'),
          render: ({ column }) => <span className="mono">{column ?? '–'}</span>,
        },
        { key: 'message', label: t('problem'), render: ({ reason }) => reasonText(reason) },
        {
          key: 'text',
          label: t('content'),
          render: ({ line }) => (
            <span className={`mono ${styles.line}`}>
              {line === null ? '' : lines[line - 1]?.slice(0, 80)}
            </span>
          ),
        },
      ]}
    />
  );
}
