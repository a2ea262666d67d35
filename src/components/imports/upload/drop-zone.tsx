'use client';

import { Progress, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type DragEvent, useEffect, useState } from 'react';
import styles from '../imports.module.css';
import type { UploadProgress } from './upload-state';

/** The extensions of the files that a user can choose or drop; the service detects the format from the content. */
const ACCEPTED_EXTENSIONS = '.xlsx,.csv,.txt,.tsv';
const EXTENSION_PATTERN = /\.(?:xlsx|csv|txt|tsv)$/i;

interface Props {
  onFile: (file: File) => void;
  onReject: (message: string) => void;
  /** Null if no file is being uploaded. */
  progress: UploadProgress | null;
  disabled: boolean;
}

/** A drop zone that is also the label of an ordinary file input: click, touch and keyboard open its dialog. */
export function DropZone({ onFile, onReject, progress, disabled }: Props) {
  const t = useTranslations('import');
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const busy = disabled || progress !== null;
  // Keeps the browser from replacing the page with a file that is dropped beside the zone.
  useEffect(() => {
    const preventOpening = (event: globalThis.DragEvent) => event.preventDefault();
    window.addEventListener('dragover', preventOpening);
    window.addEventListener('drop', preventOpening);
    return () => {
      window.removeEventListener('dragover', preventOpening);
      window.removeEventListener('drop', preventOpening);
    };
  }, []);
  const acceptFiles = (files: FileList | null) => {
    const [file, ...otherFiles] = files ?? [];
    if (!file || busy) return;
    if (otherFiles.length > 0) onReject(t('drop.one'));
    else if (!EXTENSION_PATTERN.test(file.name)) onReject(t('drop.wrong', { name: file.name }));
    else onFile(file);
  };
  const createDragHandler = (isInside: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setIsDraggedOver(isInside && !busy);
  };
  return (
    <label
      className={styles.dropZone}
      data-over={isDraggedOver || undefined}
      data-busy={busy || undefined}
      onDragOver={createDragHandler(true)}
      onDragLeave={createDragHandler(false)}
      onDrop={(event) => {
        createDragHandler(false)(event);
        acceptFiles(event.dataTransfer.files);
      }}
    >
      <IconFileSpreadsheet size={32} stroke={1.25} aria-hidden />
      {progress ? (
        <>
          <Text span fw={600}>
            {t(progress.fraction < 1 ? 'drop.sending' : 'drop.reading', { name: progress.fileName })}
          </Text>
          <Progress.Root className={styles.progress} mt="sm">
            <Progress.Section
              value={progress.fraction * 100}
              animated={progress.fraction === 1}
              aria-label={t('drop.progress')}
            />
          </Progress.Root>
        </>
      ) : (
        <>
          <Text span fw={600}>
            {t('drop.label')}
          </Text>
          <Text span size="sm" c="dimmed">
            {t('drop.hint')}
          </Text>
        </>
      )}
      <input
        type="file"
        accept={ACCEPTED_EXTENSIONS}
        disabled={busy}
        aria-label={t('drop.label')}
        onChange={({ currentTarget }) => {
          acceptFiles(currentTarget.files);
          // Lets the user choose the same file again after fixing it.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
