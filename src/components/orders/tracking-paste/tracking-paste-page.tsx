'use client';

import { Alert, Anchor, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type DragEvent, useDeferredValue, useRef } from 'react';
import { MAX_BULK_SIZE, MAX_SEARCH_LENGTH } from '../../../server/orders/filter/bounds';
import { useFailureText } from '../../api/failure-text';
import { failureOf } from '../../api/service-error';
import { useBackOffice } from '../../shell/back-office';
import { PageHeader } from '../../ui/page/page-header';
import { Sentences } from '../../ui/value/sentences';
import { readRememberedOrderListQuery } from '../list/order-list-query';
import { SharedNumbers } from './shared-numbers';
import { readTrackingPaste, rowKeyOf } from './tracking-paste';
import { useTrackingFile, useTrackingSubmit } from './tracking-paste-submission';
import { usePastedText } from './tracking-paste-text';
import { TrackingPreview } from './tracking-preview';

const EXAMPLE = '4165098857\tLX123456789CN\tyanwen\n4165098862\tLX123456791CN\tyanwen';

/**
 * Adds tracking numbers to many orders at once: paste them or drop the forwarder's file, check the preview, and submit. Good rows
 * are saved; the others stay on the page with the reason.
 */
export function TrackingPastePage() {
  const t = useTranslations('order-tracking');
  const { prefix } = useBackOffice();
  const failureText = useFailureText();
  const { text, lineNumbers, editText, replaceText, removeRows } = usePastedText();
  const deferredText = useDeferredValue(text);
  const pastedTable = readTrackingPaste(deferredText);
  const { submit, refusals, chooseShop, chosenShopIds, addedNumbers, result, error, resetSubmission, busy } =
    useTrackingSubmit();
  const fileReader = useTrackingFile((fileText) => {
    replaceText(fileText);
    resetSubmission();
  });
  const resetFileInput = useRef<() => void>(null);

  // Finds the orders of the rows that were added last.
  const search = [...new Set(addedNumbers)].join(' ');
  const needsShop = (rowKey: string) => (refusals.get(rowKey)?.length ?? 0) > 0 && !chosenShopIds.has(rowKey);
  const sendableRows = pastedTable.rows.filter((row) => row.problem === null && !needsShop(rowKeyOf(row)));
  const rowsWithProblems = pastedTable.rows.filter(
    (row) => row.problem !== null || refusals.has(rowKeyOf(row)),
  );
  const exceedsLimit = pastedTable.rows.length > MAX_BULK_SIZE;
  const shownError = error ?? fileReader.error;
  const failureTexts = shownError ? failureText(failureOf(shownError)) : null;
  const readDroppedFile = (event: DragEvent) => {
    event.preventDefault();
    fileReader.readFile(event.dataTransfer.files[0] ?? null);
  };
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        back={{ href: `${prefix}/orders${readRememberedOrderListQuery()}`, label: t('back') }}
      />
      <Stack gap="md" maw={960}>
        {result && result.orders > 0 && (
          <Alert role="status" color="green" variant="light" c="var(--mantine-color-text)" title={t('done')}>
            <Text>{t('result', { added: result.added, unchanged: result.unchanged })}</Text>
            {search.length <= MAX_SEARCH_LENGTH && (
              <Anchor
                component={Link}
                href={`${prefix}/orders?${new URLSearchParams({ q: search })}`}
                prefetch={false}
                className="tap-line"
              >
                {t('toOrders')}
              </Anchor>
            )}
          </Alert>
        )}
        {result && result.shared_numbers.length > 0 && (
          <SharedNumbers sharedNumbers={result.shared_numbers} />
        )}
        <Textarea
          label={t('paste')}
          description={t('pasteHint')}
          placeholder={EXAMPLE}
          value={text}
          onChange={({ currentTarget: { value } }) => editText(value)}
          onDrop={readDroppedFile}
          autosize
          minRows={6}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
        <Group gap="sm">
          <FileButton
            accept=".xlsx,.csv,.tsv,.txt"
            resetRef={resetFileInput}
            onChange={(file) => {
              fileReader.readFile(file);
              // Lets the user choose the same file again after fixing it.
              resetFileInput.current?.();
            }}
          >
            {(buttonProps) => (
              <Button
                {...buttonProps}
                variant="default"
                loading={fileReader.busy}
                leftSection={<IconFileSpreadsheet size={16} stroke={1.75} aria-hidden />}
              >
                {t('file')}
              </Button>
            )}
          </FileButton>
          {text !== '' && (
            <Button
              variant="subtle"
              onClick={() => {
                replaceText('');
                resetSubmission();
              }}
            >
              {t('clear')}
            </Button>
          )}
        </Group>
        {failureTexts && (
          <Alert
            role="alert"
            color="red"
            variant="light"
            c="var(--mantine-color-text)"
            title={failureTexts.title}
          >
            {failureTexts.message}
          </Alert>
        )}
        {pastedTable.rows.length > 0 && (
          <>
            <Text className="figures" role="status">
              <Sentences>
                {exceedsLimit
                  ? t('tooMany', { count: pastedTable.rows.length, most: MAX_BULK_SIZE })
                  : result && rowsWithProblems.length > 0
                    ? t('waiting', { count: rowsWithProblems.length })
                    : t('understood', { count: pastedTable.rows.length, bad: rowsWithProblems.length })}
                {!result && t('notLookedUp')}
                {!pastedTable.hasHeader && !result && t('noHeader')}
              </Sentences>
            </Text>
            <TrackingPreview
              rows={pastedTable.rows}
              lineNumbers={deferredText === text ? lineNumbers : null}
              refusals={refusals}
              chosenShopIds={chosenShopIds}
              onChoose={chooseShop}
            />
            <Group gap="sm">
              <Button
                // The rows are read from the deferred text, so they may still be those of the previous text.
                disabled={sendableRows.length === 0 || exceedsLimit || deferredText !== text}
                loading={busy}
                onClick={() =>
                  submit(sendableRows, (refusedRows) =>
                    removeRows(sendableRows.filter((row) => !refusedRows.includes(row))),
                  )
                }
              >
                {t('submit', { count: sendableRows.length })}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </>
  );
}
