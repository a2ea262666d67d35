'use client';

import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { Section } from '../../ui/page/detail-page';
import { addressLinesOf } from './address-lines';
import styles from './order-page.module.css';

type Order = RouterOutputs['orders']['one'];

/** The shipping address, ready to copy. */
export function OrderAddress({ order }: { order: Order }) {
  const t = useTranslations('order');
  const common = useTranslations('common');
  const text = addressLinesOf(order).join('\n');
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
                aria-label={common('labelled', { label: common('copy.do'), text: t('address') })}
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
