'use client';

import { Button, CopyButton, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { SideDrawer } from '../../ui/dialog/dialog';
import { LoadError } from '../../ui/list/list-states';
import { ApiCall } from '../../ui/page/api-call';
import styles from './order-page.module.css';

/** A button that shows a text for the buyer about where the order is, ready to copy. */
export function BuyerText({ orderId }: { orderId: string }) {
  const t = useTranslations('order');
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('buyerText.open')}
      </Button>
      <SideDrawer opened={opened} onClose={() => setOpened(false)} title={t('buyerText.open')}>
        {opened && <LoadedText orderId={orderId} />}
      </SideDrawer>
    </>
  );
}

function LoadedText({ orderId }: { orderId: string }) {
  const t = useTranslations('order');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.shipments.text.queryOptions({ order_id: orderId }, SHOWS_OWN_ERROR),
  );
  if (error && !data) return <LoadError error={error} onRetry={refetch} />;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('buyerText.hint')}
      </Text>
      {data ? (
        <p className={styles.text} lang="en">
          {data.text}
        </p>
      ) : (
        <Skeleton height={120} />
      )}
      <Group gap="sm">
        <CopyButton value={data?.text ?? ''}>
          {({ copied, copy }) => (
            <Button
              onClick={copy}
              disabled={!data}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {copied ? common('copy.done') : common('copy.do')}
            </Button>
          )}
        </CopyButton>
        <ApiCall
          request={{
            method: 'GET',
            path: '/api/v1/tracking-text',
            query: { order_id: orderId, format: 'text' },
          }}
        />
      </Group>
    </Stack>
  );
}
