'use client';

import { Box, Button, FileInput, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { useTRPC, useTRPCClient } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { useBackOffice } from '../shell/back-office';
import { readBase64, useEncodingText } from '../ui/form/csv-file';
import { Section } from '../ui/page/detail-page';
import { PageHeader } from '../ui/page/page-header';
import { CatalogChanges } from './catalog-changes';
import { FileProblems } from './file-problems';

/** Imports a CSV file of products: shows a preview, then imports the whole file or nothing. */
export function CatalogImportPage() {
  const t = useTranslations('catalog');
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { prefix } = useBackOffice();
  const [file, setFile] = useState<File | null>(null);
  const resetFileInput = useRef<() => void>(null);
  const readFile = useMutation({
    ...SHOWS_OWN_ERROR,
    mutationFn: async (chosenFile: File) =>
      client.catalog.readFile.mutate({ file: await readBase64(chosenFile) }),
  });
  const encodingText = useEncodingText();
  const preview = useMutation(trpc.catalog.previewImport.mutationOptions(SHOWS_OWN_ERROR));
  const importProducts = useMutation(
    trpc.catalog.importProducts.mutationOptions({
      ...SHOWS_OWN_ERROR,
      onSuccess: async ({ inserted, updated }) => {
        await queryClient.invalidateQueries(trpc.catalog.pathFilter());
        notifications.show({ message: t('import.done', { inserted, updated }), color: 'green' });
      },
    }),
  );
  /** Imports the products, and shows the catalog unless the user has gone to another page in the meantime. */
  const storeProducts = (csv: string) =>
    importProducts.mutate({ csv }, { onSuccess: () => router.push(`${prefix}/catalog`) });
  const chooseFile = (chosenFile: File | null) => {
    setFile(chosenFile);
    readFile.reset();
    preview.reset();
    importProducts.reset();
    // Lets the user choose the same file again after fixing it.
    resetFileInput.current?.();
    // TanStack Query calls `onSuccess` only for the last file chosen, even if an earlier one takes longer to read.
    if (chosenFile) readFile.mutate(chosenFile, { onSuccess: ({ csv }) => preview.mutate({ csv }) });
  };
  const summary = preview.data;
  const changeCount = summary ? summary.inserted + summary.updated : 0;
  const error = importProducts.error ?? preview.error ?? readFile.error;
  return (
    <Box maw={960}>
      <PageHeader
        title={t('import.title')}
        description={t('import.description')}
        back={{ href: `${prefix}/catalog`, label: t('title') }}
      />
      <Stack gap="lg">
        <FileInput
          label={t('import.file')}
          description={t('import.fileHint')}
          placeholder={t('import.choose')}
          accept=".csv,text/csv"
          leftSection={<IconFileTypeCsv size={16} aria-hidden />}
          resetRef={resetFileInput}
          value={file}
          onChange={chooseFile}
          clearable
          clearButtonProps={{ 'aria-label': t('import.clear') }}
          maw={480}
        />
        <div aria-live="polite">
          {(readFile.isPending || preview.isPending) && <Text c="dimmed">{t('import.reading')}</Text>}
          {readFile.data && (
            <Text size="sm" c="dimmed" mb="sm">
              {encodingText(readFile.data.encoding)}
            </Text>
          )}
          {error && <FileProblems error={error} />}
          {readFile.data && summary && !error && (
            <Section
              title={t('import.preview')}
              description={t('import.counts', {
                inserted: summary.inserted,
                updated: summary.updated,
                unchanged: summary.unchanged,
              })}
              actions={
                changeCount > 0 && (
                  <Group gap="sm">
                    <Button
                      // After the import, the page stays for a moment.
                      loading={importProducts.isPending || importProducts.isSuccess}
                      onClick={() => storeProducts(readFile.data.csv)}
                    >
                      {t('import.store', { count: changeCount })}
                    </Button>
                  </Group>
                )
              }
            >
              {changeCount === 0 ? (
                <Text>{t('import.nothing')}</Text>
              ) : (
                <CatalogChanges
                  changes={summary.changes}
                  remainingCount={changeCount - summary.changes.length}
                />
              )}
            </Section>
          )}
        </div>
      </Stack>
    </Box>
  );
}
