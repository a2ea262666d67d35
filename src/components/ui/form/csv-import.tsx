'use client';

import { Alert, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { MAX_CSV_BYTES } from '../../../server/core/text/csv-limit';
import { useFailureText } from '../../api/failure-text';
import { failureOf, type ServiceFailure } from '../../api/service-error';
import { Section } from '../page/detail-page';
import { type Encoding, readBase64, useEncodingText } from './csv-file';
import styles from './csv-import.module.css';
import { CsvProblems } from './csv-problems';
import { useStoredText } from './use-stored-text';

const LINE_HEIGHT = 20;

interface Props {
  /** The key under which the text is stored until it is imported. */
  draftKey: string;
  /** What the text is read as. Text that was checked as one kind cannot be imported as another. */
  kind: string;
  /** The header line, shown while nothing is entered. */
  header: string;
  /** Decodes a file, and returns its text and encoding. */
  decodeFile: (base64: string) => Promise<{ csv: string; encoding: Encoding }>;
  /** Calls the procedure that stores nothing, and returns what an import would do. */
  onCheck: (csv: string) => Promise<ReactNode>;
  /** Calls the procedure, and returns a summary of what it did. */
  onImport: (csv: string) => Promise<ReactNode>;
}

/**
 * Imports CSV text that is pasted, dropped or read from a file, all or nothing. Shows what an import would do before it stores
 * anything, and problems by line and column.
 */
export function CsvImport({ draftKey, kind, header, decodeFile, onCheck, onImport }: Props) {
  const t = useTranslations('csv');
  const failureText = useFailureText();
  const textarea = useRef<HTMLTextAreaElement>(null);
  const [csv, setCsv] = useStoredText(draftKey);
  const [busy, setBusy] = useState(false);
  const [checked, setChecked] = useState<{ csv: string; kind: string; result: ReactNode } | null>(null);
  const [summary, setSummary] = useState<ReactNode>(null);
  const [failure, setFailure] = useState<ServiceFailure | null>(null);
  const [isTooLarge, setIsTooLarge] = useState(false);
  const [encoding, setEncoding] = useState<Encoding | null>(null);
  const encodingText = useEncodingText();
  const chosenFile = useRef<File | null>(null);
  const resetFileInput = useRef<() => void>(null);
  // Only for exactly what was checked.
  const preview = checked?.csv === csv && checked.kind === kind ? checked.result : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the kind changes
  useEffect(() => {
    setSummary(null);
    setFailure(null);
  }, [kind]);

  const replaceCsv = (text: string) => {
    chosenFile.current = null;
    setCsv(text);
    setSummary(null);
    setFailure(null);
    setIsTooLarge(false);
    setEncoding(null);
  };
  const readFile = async (file: File | null | undefined) => {
    if (!file) return;
    replaceCsv('');
    chosenFile.current = file;
    if (file.size > MAX_CSV_BYTES) {
      setIsTooLarge(true);
      return;
    }
    try {
      const decodedFile = await decodeFile(await readBase64(file));
      // Another file may have been chosen, or text entered, in the meantime.
      if (chosenFile.current !== file) return;
      replaceCsv(decodedFile.csv);
      setEncoding(decodedFile.encoding);
    } catch (error) {
      if (chosenFile.current === file) setFailure(failureOf(error));
    }
  };
  const dropFile = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    if (!busy) void readFile(event.dataTransfer.files[0]);
  };
  const send = async (call: () => Promise<void>) => {
    setBusy(true);
    setSummary(null);
    setFailure(null);
    try {
      await call();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  const checkCsv = () => {
    setChecked(null);
    return send(async () => setChecked({ csv, kind, result: await onCheck(csv) }));
  };
  const importCsv = () =>
    send(async () => {
      const importSummary = await onImport(csv);
      replaceCsv('');
      setSummary(importSummary);
    });
  const goToLine = (line: number) => {
    const lines = csv.split('\n');
    const lineStart = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    textarea.current?.focus();
    textarea.current?.setSelectionRange(lineStart, lineStart + (lines[line - 1]?.length ?? 0));
    textarea.current?.scrollTo({ top: (line - 3) * LINE_HEIGHT });
  };
  const { title, message } = failure ? failureText(failure) : { title: '', message: '' };
  const problems = failure?.problems ?? [];

  return (
    <Stack gap="md">
      <Textarea
        ref={textarea}
        label={t('text')}
        description={t('hint')}
        placeholder={header}
        classNames={{ input: `mono ${styles.text}` }}
        rows={12}
        spellCheck={false}
        value={csv}
        readOnly={busy}
        error={isTooLarge ? t('tooLarge') : undefined}
        onChange={({ currentTarget: { value } }) => replaceCsv(value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={dropFile}
      />
      <Group gap="sm">
        <Button
          variant={preview ? 'default' : 'filled'}
          onClick={() => void checkCsv()}
          loading={busy && !preview}
          disabled={busy || csv.trim() === ''}
        >
          {t('check')}
        </Button>
        <FileButton
          accept=".csv,.txt,text/csv,text/plain"
          disabled={busy}
          resetRef={resetFileInput}
          onChange={(file) => {
            void readFile(file);
            // Lets the user choose the same file again after fixing it.
            resetFileInput.current?.();
          }}
        >
          {(buttonProps) => (
            <Button
              {...buttonProps}
              variant="default"
              disabled={busy}
              leftSection={<IconFileUpload size={16} stroke={1.75} aria-hidden />}
            >
              {t('choose')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {csv.trim() !== '' && t('lines', { count: csv.trimEnd().split('\n').length })}
          {encoding && ` · ${encodingText(encoding)}`}
        </Text>
      </Group>
      <div role="status">
        {preview && (
          <Section
            title={t('preview')}
            actions={
              <Button onClick={() => void importCsv()} loading={busy}>
                {t('import')}
              </Button>
            }
          >
            {preview}
          </Section>
        )}
        {summary && (
          <Alert color="green" variant="light" c="var(--mantine-color-text)" title={t('done')}>
            {summary}
          </Alert>
        )}
      </div>
      {failure && (
        <Alert role="alert" color="red" variant="light" title={problems.length > 0 ? t('refused') : title}>
          <Text c="var(--mantine-color-text)">
            {problems.length > 0 ? t('refusedHint', { count: problems.length }) : message}
          </Text>
        </Alert>
      )}
      {problems.length > 0 && <CsvProblems problems={problems} csv={csv} onLineClick={goToLine} />}
    </Stack>
  );
}
