import { useSyncExternalStore } from 'react';

/** The progress of an upload. */
export interface UploadProgress {
  fileName: string;
  /** The fraction sent, 0 to 1. */
  fraction: number;
}

/** What the import page shows of an upload: its progress, or why it failed. */
interface UploadState {
  progress: UploadProgress | null;
  error: Error | null;
}

const NO_UPLOAD: UploadState = { progress: null, error: null };

/** Outside of the page, because an upload goes on while the user is on other pages. */
let state = NO_UPLOAD;
const listeners = new Set<() => void>();

function setState(newState: UploadState): void {
  state = newState;
  for (const listener of listeners) listener();
}

export const showUploadProgress = (progress: UploadProgress): void => setState({ progress, error: null });

export const showUploadError = (error: Error): void => setState({ progress: null, error });

/** Forgets an upload that has ended. */
export const clearUpload = (): void => setState(NO_UPLOAD);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useUploadState = (): UploadState =>
  useSyncExternalStore(
    subscribe,
    () => state,
    () => NO_UPLOAD,
  );
