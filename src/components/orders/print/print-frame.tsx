'use client';

import { Button, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { BackLink } from '../../ui/page/back-link';
import { readRememberedOrderListQuery } from '../list/order-list-query';
import styles from './print.module.css';

/** The frame of a printable page. Its title and its Print button are shown on the screen but not on paper. */
export function PrintFrame({
  title,
  summary,
  state,
  onRetry,
  children,
}: {
  title: string;
  summary: string | undefined;
  /** `hasNoFilter` if the URL has no readable filter; `isEmpty` if no order matches it. */
  state: { hasNoFilter: boolean; error: unknown; isEmpty: boolean };
  onRetry: () => unknown;
  children: ReactNode;
}) {
  const t = useTranslations('shipping');
  const { prefix } = useBackOffice();
  const { hasNoFilter, error, isEmpty } = state;
  const isReady = !hasNoFilter && !error && !isEmpty && summary !== undefined;
  return (
    <main className={styles.frame}>
      <div className={styles.tools}>
        <div>
          <BackLink href={`${prefix}/orders${readRememberedOrderListQuery()}`} label={t('back')} />
          <Title order={1}>{title}</Title>
          {isReady && <Text className="figures">{summary}</Text>}
        </div>
        {isReady && (
          <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
            {t('print')}
          </Button>
        )}
      </div>
      {hasNoFilter ? (
        <div className={styles.tools}>
          <div>
            <Title order={2}>{t('none')}</Title>
            <Text>{t('noneHint')}</Text>
          </div>
        </div>
      ) : error ? (
        <LoadError error={error} onRetry={onRetry} />
      ) : isEmpty ? (
        <div className={styles.tools}>
          <Title order={2}>{t('nothing')}</Title>
        </div>
      ) : (
        children
      )}
    </main>
  );
}
