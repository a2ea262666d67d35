'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import styles from '../messages.module.css';
import { type LinePair, pairLines } from './diff-lines';

interface ComparedVersion {
  version: number;
  text: string;
}

/** Two versions side by side; on phones, a changed line appears above its replacement. */
export function PromptDiff({ from, to }: { from: ComparedVersion; to: ComparedVersion }) {
  const t = useTranslations('messages');
  const pairs = pairLines(from.text, to.text);
  if (pairs.every(({ isSame }) => isSame)) return <Text c="dimmed">{t('diff.same')}</Text>;
  return (
    <table className={styles.diff}>
      <thead>
        <tr>
          <th scope="col">{t('prompt.version', { version: from.version })}</th>
          <th scope="col">{t('prompt.version', { version: to.version })}</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
          <tr key={index}>
            <Side pair={pair} side="left" />
            <Side pair={pair} side="right" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ pair, side }: { pair: LinePair; side: 'left' | 'right' }) {
  const t = useTranslations('messages');
  const parts = pair[side];
  if (parts === null) return <td />;
  const kind = pair.isSame ? 'same' : side === 'left' ? 'removed' : 'added';
  const ChangeTag = side === 'left' ? 'del' : 'ins';
  return (
    <td data-kind={kind}>
      {kind !== 'same' && (
        <span className="visually-hidden">{kind === 'removed' ? t('diff.removed') : t('diff.added')}: </span>
      )}
      {parts.map(
        ({ text, isChanged }, index) =>
          // biome-ignore-start lint/suspicious/noArrayIndexKey: parts are identified by their position
          isChanged ? <ChangeTag key={index}>{text}</ChangeTag> : <span key={index}>{text}</span>,
        // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
      )}
    </td>
  );
}
