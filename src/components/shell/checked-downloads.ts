import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PAGE_USER_HEADER } from '../../server/core/http/page-user-header';
import { watchedFetch } from '../api/connection';
import { useBackOffice } from './back-office';

const DOWNLOAD_LINKS = 'a[download][href^="/api/downloads/"]';

/** Lets the browser download a file. The link is not part of the page, so its click is not checked again. */
function startDownload(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/**
 * Lets the browser download a file, unless the service refuses it. Then throws the service's error, which the browser would save as
 * the file. An error while the file is being generated is not noticed here.
 */
async function requestDownload(url: string, userId: number): Promise<void> {
  const headers = { [PAGE_USER_HEADER]: String(userId) };
  const check = await watchedFetch(url, { method: 'HEAD', headers });
  if (check.ok) return startDownload(url);
  // A response to HEAD does not say what is wrong.
  const refusal = await watchedFetch(url, { headers });
  if (refusal.ok) {
    // The cause is gone.
    await refusal.body?.cancel();
    return startDownload(url);
  }
  throw Object.assign(new Error('The download was refused.'), {
    meta: { responseJSON: await refusal.json() },
  });
}

/** Checks each download before it begins, and shows why it is refused. Offline, it fails at once instead of waiting for the network. */
export function useCheckedDownloads(): void {
  const { user } = useBackOffice();
  const { mutate } = useMutation({
    mutationFn: (url: string) => requestDownload(url, user.id),
    networkMode: 'always',
  });
  useEffect(() => {
    const checkDownload = (event: MouseEvent) => {
      const isPlainClick = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      const link = (event.target as Element).closest<HTMLAnchorElement>(DOWNLOAD_LINKS);
      if (!link || !isPlainClick || event.defaultPrevented) return;
      event.preventDefault();
      mutate(link.href);
    };
    document.addEventListener('click', checkDownload);
    return () => document.removeEventListener('click', checkDownload);
  }, [mutate]);
}
