'use client';

import { Alert, Anchor, Button, FileButton, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useDeferredValue, useState } from 'react';
import { MOST_AT_ONCE } from '../../server/orders/detail/change-schema';
import { useTRPC } from '../api/client';
import { useFailureText } from '../api/failure-text';
import { OWN_ERROR } from '../api/page-queries';
import { failureOf } from '../api/service-error';
import { useDesk } from '../shell/desk';
import { useReasonText } from '../ui/feedback/reason-text';
import { PageHeader } from '../ui/page/page-header';
import { rememberedOrderList } from './order-list-search';
import { type PastedRow, readTrackingPaste } from './tracking-paste';
import { TrackingPreview } from './tracking-preview';

const EXAMPLE = '4165098857\tLX123456789CN\tyanwen\n4165098862\tLX123456791CN\tyanwen';

/** Adds tracking numbers to many orders of a shop at once: paste them, check what was understood, and submit all or none. */
export function TrackingPastePage() {
  const t = useTranslations('order-tracking');
  const trpc = useTRPC();
  const { prefix } = useDesk();
  const wanted = useSearchParams().get('shop');
  const { data: shops = [] } = useQuery(trpc.shops.list.queryOptions());
  const open = shops.filter(({ archived_at: archived }) => archived === null);
  const [chosen, setChosen] = useState<string | null>(wanted);
  const shop = open.find(({ id }) => String(id) === chosen) ?? (open.length === 1 ? open[0] : undefined);
  const [text, setText] = useState('');
  const pasted = readTrackingPaste(useDeferredValue(text));
  const { submit, refused, failure, result, forget, busy } = useSubmit(pasted.rows);

  const change = (value: string) => {
    setText(value);
    forget();
  };
  const bad = pasted.rows.filter(({ problem }) => problem !== null).length;
  const tooMany = pasted.rows.length > MOST_AT_ONCE;
  const ready = shop !== undefined && pasted.rows.length > 0 && bad === 0 && !tooMany;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        back={{ href: `${prefix}/orders${rememberedOrderList()}`, label: t('back') }}
      />
      <Stack gap="md" maw={960}>
        {result && (
          <Alert role="status" color="teal" variant="light" c="var(--mantine-color-text)" title={t('done')}>
            <Text>{t('result', result)}</Text>
            <Anchor component={Link} href={`${prefix}/orders?shop=${result.shop}&status=shipped`}>
              {t('toOrders')}
            </Anchor>
          </Alert>
        )}
        <NativeSelect
          label={t('shop')}
          required
          maw={320}
          value={shop ? String(shop.id) : ''}
          onChange={({ currentTarget: { value } }) => {
            setChosen(value);
            forget();
          }}
          data={[
            ...(shop ? [] : [{ value: '', label: t('chooseShop') }]),
            ...open.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        <Textarea
          label={t('paste')}
          description={t('pasteHint')}
          placeholder={EXAMPLE}
          value={text}
          onChange={({ currentTarget: { value } }) => change(value)}
          autosize
          minRows={6}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
        <Group gap="sm">
          <FileButton
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChange={(file) => void file?.text().then(change)}
          >
            {(open) => (
              <Button
                {...open}
                variant="default"
                leftSection={<IconFileText size={16} stroke={1.75} aria-hidden />}
              >
                {t('file')}
              </Button>
            )}
          </FileButton>
          {text !== '' && (
            <Button variant="subtle" onClick={() => change('')}>
              {t('clear')}
            </Button>
          )}
        </Group>
        {failure && (
          <Alert
            role="alert"
            color="red"
            variant="light"
            c="var(--mantine-color-text)"
            title={refused.size > 0 ? t('refused') : failure.title}
          >
            {refused.size > 0 ? t('refusedHint', { count: refused.size }) : failure.message}
          </Alert>
        )}
        {pasted.rows.length > 0 && (
          <>
            <Text className="figures" role="status">
              {tooMany
                ? t('tooMany', { count: pasted.rows.length, most: MOST_AT_ONCE })
                : t('understood', { count: pasted.rows.length, bad })}
              {!pasted.hasHeader && ` ${t('noHeader')}`}
            </Text>
            <TrackingPreview rows={pasted.rows} refused={refused} />
            <Group gap="sm">
              <Button
                disabled={!ready}
                loading={busy}
                onClick={() => shop && submit(shop.id, () => setText(''))}
              >
                {t('submit', { count: pasted.rows.length })}
              </Button>
              {!shop && <Text c="dimmed">{t('chooseShopFirst')}</Text>}
            </Group>
          </>
        )}
      </Stack>
    </>
  );
}

/** Submits the rows, and keeps the service's refusal of each. */
function useSubmit(rows: readonly PastedRow[]) {
  const t = useTranslations('order-tracking');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const failureText = useFailureText();
  const reasonText = useReasonText();
  const set = useMutation(
    trpc.orders.setTracking.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.orders.pathFilter()),
      ...OWN_ERROR,
    }),
  );
  const failed = set.error ? failureOf(set.error) : null;
  const problems = (failed?.problems ?? []).flatMap((problem) => {
    const [, index, field] = /^rows\.(\d+)\.(\w+)$/.exec(problem.path) ?? [];
    const row = rows[Number(index)];
    // For a well-formed order number, the only possible refusal is that the shop has no such order.
    return row
      ? [[row.line, field === 'receipt_id' ? t('problems.noOrder') : reasonText(problem)] as const]
      : [];
  });
  return {
    submit: (shopId: number, onDone: () => void) =>
      set.mutate(
        {
          shop_id: shopId,
          rows: rows.map(({ receipt_id, tracking_number, carrier_code }) => ({
            receipt_id,
            tracking_number,
            ...(carrier_code === '' ? {} : { carrier_code }),
          })),
        },
        { onSuccess: onDone },
      ),
    busy: set.isPending,
    /** The refusals by line. */
    refused: new Map(problems),
    failure: failed && failureText(failed),
    result: set.data && { ...set.data, shop: set.variables.shop_id },
    forget: () => set.reset(),
  };
}
