import { PAGE_USER_HEADER } from '../../server/core/http/page-user-header';
import { watchedFetch } from '../api/connection';

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
export async function requestDownload(url: string, userId: number): Promise<void> {
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
