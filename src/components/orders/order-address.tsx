'use client';

import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { Section } from '../ui/page/detail-page';
import styles from './order-page.module.css';

type Order = RouterOutputs['orders']['one'];

/** The address lines, as on a label. */
function linesOf(order: Order): string[] {
  const region = [order.state, order.zip].filter(Boolean).join(' ');
  const town = [order.city, region].filter(Boolean).join(', ');
  const lines = [order.name, order.first_line, order.second_line, town, order.country_name];
  return lines.filter((line): line is string => Boolean(line));
}

/** The shipping address, ready to copy. */
export function OrderAddress({ order }: { order: Order }) {
  const t = useTranslations('order');
  const common = useTranslations('common');
  const text = linesOf(order).join('\n');
  return (
    <Section
      title={t('address')}
      actions={
        text !== '' && (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                size="compact-sm"
                onClick={copy}
                aria-label={`${common('copy.do')}: ${t('address')}`}
                leftSection={
                  copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
                }
              >
                {copied ? common('copy.done') : common('copy.do')}
              </Button>
            )}
          </CopyButton>
        )
      }
    >
      <address className={styles.address}>{text || '–'}</address>
    </Section>
  );
}
