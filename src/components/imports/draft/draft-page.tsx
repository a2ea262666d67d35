'use client';

import { Alert, Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { useFailureText } from '../../api/failure-text';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { failureOf } from '../../api/service-error';
import { useBackOffice } from '../../shell/back-office';
import { useReasonText } from '../../ui/feedback/reason-text';
import { ConfirmAction } from '../../ui/form/confirm-action';
import { useEncodingText } from '../../ui/form/csv-file';
import { focusIfLost } from '../../ui/keyboard/focus';
import { LoadError } from '../../ui/list/list-states';
import { PageHeader } from '../../ui/page/page-header';
import { draftQuery } from '../queries';
import { createSampleImportRequest } from '../upload/sample-import-request';
import { DraftPreview } from './draft-preview';
import { DraftProgress } from './draft-progress';
import { DraftResult } from './draft-result';

/** An uploaded file: what its import would do, its progress, then its result. */
export function DraftPage({ id }: { id: string }) {
  const t = useTranslations('import');
  const trpc = useTRPC();
  const encodingText = useEncodingText();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { prefix } = useBackOffice();
  const discardDraft = useMutation(
    trpc.imports.discard.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(trpc.imports.drafts.pathFilter());
        queryClient.removeQueries(trpc.imports.draft.queryFilter({ id }));
        router.push(`${prefix}/import`);
      },
    }),
  );
  const {
    data: draft,
    error,
    refetch,
  } = useQuery({
    ...draftQuery(trpc, id),
    // This page stays mounted for a moment after its draft is discarded.
    enabled: discardDraft.isIdle || discardDraft.isError,
  });
  const commitDraft = useMutation(
    trpc.imports.commit.mutationOptions({
      ...SHOWS_OWN_ERROR,
      onError: () => queryClient.removeQueries(trpc.imports.preview.pathFilter()),
      onSettled: async () => {
        await queryClient.invalidateQueries(trpc.imports.pathFilter());
        void queryClient.invalidateQueries(trpc.orders.pathFilter());
      },
    }),
  );
  const isRunning = commitDraft.isPending || draft?.state === 'running';
  const isOpen = draft && !isRunning && draft.state !== 'done';
  return (
    <>
      <PageHeader
        title={draft?.file_name ?? t('title')}
        description={
          draft &&
          [
            t('draft.of', { shop: draft.account, rows: draft.rows }),
            draft.encoding && encodingText(draft.encoding),
          ]
            .filter(Boolean)
            .join(' · ')
        }
        back={{ href: `${prefix}/import`, label: t('title') }}
        api={isOpen ? createSampleImportRequest(draft.account_id) : undefined}
        actions={
          isOpen && (
            <ConfirmAction
              title={t('discard')}
              message={t('discardHint', { name: draft.file_name })}
              action={t('discard')}
              destructive
              onConfirm={() => discardDraft.mutateAsync({ id })}
            >
              {(ask) => (
                <Button variant="default" onClick={ask}>
                  {t('discard')}
                </Button>
              )}
            </ConfirmAction>
          )
        }
      />
      {error && !draft ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !draft ? (
        <Skeleton height={136} radius="sm" />
      ) : isRunning ? (
        <DraftProgress id={id} wasStartedHere={commitDraft.isPending} />
      ) : draft.state === 'done' && draft.import_id ? (
        <DraftResult draft={draft} importId={draft.import_id} isNews={commitDraft.isSuccess} />
      ) : (
        <>
          <Refusal error={commitDraft.error} earlierFailure={draft.failure} />
          <DraftPreview
            draft={draft}
            onCommit={(fingerprint) => commitDraft.mutate({ id, fingerprint })}
            onFixed={commitDraft.reset}
          />
        </>
      )}
    </>
  );
}

/** Why the import failed or was refused, just now or on an earlier visit. */
function Refusal({
  error,
  earlierFailure,
}: {
  error: unknown;
  earlierFailure: RouterOutputs['imports']['draft']['failure'];
}) {
  const t = useTranslations('import');
  const failureText = useFailureText();
  const reasonText = useReasonText();
  const failure = error ? failureOf(error) : null;
  if (!failure && !earlierFailure) return null;
  const isStale = failure?.code === 'conflict' && failure.reason?.reason !== 'service.otherUser';
  const failureTexts = failure && failureText(failure);
  return (
    <Alert
      role="alert"
      // In place of the button that started the import, unless the failure is from an earlier visit.
      {...(failure && { ref: focusIfLost, tabIndex: -1 })}
      color={isStale ? 'yellow' : 'red'}
      variant="light"
      mb="md"
      c="var(--mantine-color-text)"
      title={isStale ? t('stale.title') : (failureTexts?.title ?? t('refused'))}
    >
      {isStale ? t('stale.hint') : (failureTexts?.message ?? (earlierFailure && reasonText(earlierFailure)))}
    </Alert>
  );
}
