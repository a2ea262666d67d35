import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useBackOffice } from './back-office';

const DOWNLOAD_LINKS = 'a[download][href^="/api/downloads/"]';

/** Checks each download before it begins, and shows why it is refused. Offline, it fails at once instead of waiting for the network. */
export function useCheckedDownloads(): void {
  const { user } = useBackOffice();
  const { mutate } = useMutation({
    // Loaded on demand, because most visits download nothing.
    mutationFn: (url: string) =>
      import('./request-download').then(({ requestDownload }) => requestDownload(url, user.id)),
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
