import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { useTRPC } from '../../api/client';
import { useFailureSentence } from '../../api/failure-text';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { failureOf } from '../../api/service-error';
import { useBackOffice } from '../../shell/back-office';
import { useReasonText } from '../../ui/feedback/reason-text';
import { sendFile } from './send-file';
import { clearUpload, showUploadError, showUploadProgress } from './upload-state';

const UPLOAD_KEY = ['upload-orders'];

/** Returns a function that says, on whatever page the user is, how the upload of a file has ended. */
function useOutcomeNotification() {
  const t = useTranslations('import');
  const { prefix } = useBackOffice();
  const failureSentence = useFailureSentence();
  const reasonText = useReasonText();
  return {
    showReady(fileName: string, draftId: string) {
      const id = notifications.show({
        color: 'green',
        autoClose: false,
        message: t.rich('drop.ready', {
          name: fileName,
          link: (chunks) => (
            <Anchor
              component={Link}
              href={`${prefix}/import/${draftId}`}
              prefetch={false}
              inherit
              underline="always"
              onClick={() => notifications.hide(id)}
            >
              {chunks}
            </Anchor>
          ),
        }),
      });
    },
    showFailure(fileName: string, error: Error) {
      const failure = failureOf(error);
      const [problem] = failure.problems;
      notifications.show({
        color: 'red',
        autoClose: false,
        title: t('drop.failed', { name: fileName }),
        message: problem ? reasonText(problem) : failureSentence(failure),
      });
    },
  };
}

/**
 * Returns a function that uploads a file of orders into a shop and then opens the draft. The upload goes on while the user is on other
 * pages; if the import page is not open when it ends, a notification says how it ended.
 */
export function useUpload(): (upload: { file: File; shopId: number }) => void {
  const router = useRouter();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { prefix, user } = useBackOffice();
  const { showReady, showFailure } = useOutcomeNotification();
  // Whether any import page is open: the user may have left the one that began the upload and come back.
  const isPageOpen = () => window.location.pathname === `${prefix}/import`;
  const { mutate } = useMutation({
    mutationKey: UPLOAD_KEY,
    mutationFn: ({ file, shopId }: { file: File; shopId: number }) =>
      sendFile(file, { shopId, userId: user.id }, (fraction) =>
        showUploadProgress({ fileName: file.name, fraction }),
      ),
    onMutate: ({ file }) => showUploadProgress({ fileName: file.name, fraction: 0 }),
    onSuccess: (draftId, { file }) => {
      void queryClient.invalidateQueries(trpc.imports.drafts.pathFilter());
      // The page shows the progress until the draft is open.
      if (isPageOpen()) return router.push(`${prefix}/import/${draftId}`);
      clearUpload();
      showReady(file.name, draftId);
    },
    onError: (error, { file }) => {
      if (isPageOpen()) return showUploadError(error);
      clearUpload();
      showFailure(file.name, error);
    },
    ...SHOWS_OWN_ERROR,
  });
  useEffect(
    () => () => {
      if (queryClient.isMutating({ mutationKey: UPLOAD_KEY }) === 0) clearUpload();
    },
    [queryClient],
  );
  return mutate;
}
