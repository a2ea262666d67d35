'use client';

import { Alert, Anchor, Button, NativeSelect, Skeleton, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { tooLargeReason } from '../../../server/core/spreadsheet/file-size';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import { useFailureText } from '../../api/failure-text';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { failureOf } from '../../api/service-error';
import { useBackOffice } from '../../shell/back-office';
import { useReasonText } from '../../ui/feedback/reason-text';
import { EmptyState, LoadError } from '../../ui/list/list-states';
import { PageHeader } from '../../ui/page/page-header';
import styles from '../imports.module.css';
import { DraftList } from './draft-list';
import { DropZone } from './drop-zone';
import { createSampleImportRequest } from './sample-import-request';
import { clearUpload, useUploadState } from './upload-state';
import { useUpload } from './use-upload';

/**
 * The first step: choose a shop and a file. Earlier drafts are listed below.
 *
 * @param maxFileBytes the maximum size of a file
 */
export function UploadPage({ maxFileBytes }: { maxFileBytes: number }) {
  const t = useTranslations('import');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const { data, error, refetch } = useQuery(trpc.shops.names.queryOptions(undefined, SHOWS_OWN_ERROR));
  const shops = data?.filter((shop) => shop.archived_at === null);
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        api={createSampleImportRequest(shops?.[0]?.id)}
      />
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !shops ? (
        <div className={styles.start}>
          <Skeleton height={60} radius="sm" />
          <Skeleton height={176} radius="sm" />
        </div>
      ) : shops.length === 0 ? (
        <EmptyState
          url={{ hasFilters: false, clearFilters: () => undefined }}
          empty={{
            title: t('noShop'),
            hint: hasPermission(user.role, 'shops.write') && t('noShopHint'),
            action: hasPermission(user.role, 'shops.write') && (
              <Button component={Link} href={`${prefix}/shops`}>
                {t('addShop')}
              </Button>
            ),
          }}
        />
      ) : (
        <Upload shops={shops} maxFileBytes={maxFileBytes} />
      )}
      <DraftList />
    </>
  );
}

interface UploadProps {
  shops: readonly { id: number; name: string }[];
  maxFileBytes: number;
}

function Upload({ shops, maxFileBytes }: UploadProps) {
  const t = useTranslations('import');
  const failureText = useFailureText();
  const reasonText = useReasonText();
  const [rememberedShopId, rememberShopId] = useLocalStorage({
    key: 'brickdesk.import.shop',
    defaultValue: '',
  });
  const { progress, error } = useUploadState();
  const upload = useUpload();
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const [triedWithoutShop, setTriedWithoutShop] = useState(false);
  const shopSelect = useRef<HTMLSelectElement>(null);
  const isShopKnown = shops.some(({ id }) => String(id) === rememberedShopId);
  const shopId = isShopKnown ? rememberedShopId : shops.length === 1 ? String(shops[0]!.id) : '';
  const uploadFile = (file: File) => {
    setFileProblem(null);
    clearUpload();
    // The service would refuse it too, but the user would first have to wait for the upload.
    if (file.size > maxFileBytes)
      return setFileProblem(reasonText(tooLargeReason(file.name, file.size, maxFileBytes)));
    if (shopId !== '') return upload({ file, shopId: Number(shopId) });
    setTriedWithoutShop(true);
    shopSelect.current?.focus();
  };
  const failure = error && failureOf(error);
  const failureTexts = failure && failureText(failure);
  const problem = failure?.problems[0];
  return (
    <div className={styles.start}>
      <NativeSelect
        ref={shopSelect}
        label={t('shop')}
        description={t('shopHint')}
        error={triedWithoutShop && shopId === '' ? t('chooseShop') : undefined}
        data={[
          ...(shopId === '' ? [{ value: '', label: t('choose') }] : []),
          ...shops.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={shopId}
        disabled={progress !== null}
        onChange={({ currentTarget: { value } }) => rememberShopId(value)}
      />
      <DropZone onFile={uploadFile} onReject={setFileProblem} progress={progress} disabled={false} />
      {(fileProblem || failureTexts) && (
        <Alert
          role="alert"
          color="red"
          variant="light"
          c="var(--mantine-color-text)"
          title={fileProblem ? undefined : failureTexts?.title}
        >
          {fileProblem ?? (problem ? reasonText(problem) : failureTexts?.message)}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {t.rich('fields', {
          guide: (chunks) => (
            <Anchor href="/docs/api/guides/importing-orders" inherit underline="always">
              {chunks}
            </Anchor>
          ),
        })}
      </Text>
    </div>
  );
}
