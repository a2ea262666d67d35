import { PAGE_USER_HEADER } from '../../../server/core/http/page-user-header';
import { UnreadableFileError } from '../../api/service-error';

/** An error shaped like that of a failed tRPC call, so that `failureOf` can read it. */
class UploadError extends Error {
  constructor(readonly meta: { responseJSON?: unknown }) {
    super('The upload failed.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the error for an upload without a response. The browser does not say whether it could not read the file. */
async function errorWithoutResponse(file: File): Promise<Error> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return new UploadError({});
  } catch (cause) {
    return new UnreadableFileError('The file cannot be read', { cause });
  }
}

/**
 * Uploads a file unchanged. Uses XMLHttpRequest, because `fetch` does not report upload progress.
 *
 * @param userId the user for whom the page was rendered
 * @param onProgress receives the fraction sent, 0 to 1
 * @returns the id of the new draft; rejects if the upload fails, with UnreadableFileError if the file has been deleted or changed
 * since it was chosen
 */
export function sendFile(
  file: File,
  { shopId, userId }: { shopId: number; userId: number },
  onProgress: (fraction: number) => void,
): Promise<string> {
  const request = new XMLHttpRequest();
  const draftIdPromise = new Promise<string>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total ? loaded / total : 0),
    );
    request.addEventListener('load', () => {
      const responseJson = parseJson(request.responseText) as { data?: { draft_id?: string } } | undefined;
      const id = responseJson?.data?.draft_id;
      if (request.status === 200 && id) resolve(id);
      else reject(new UploadError({ responseJSON: responseJson }));
    });
    for (const eventName of ['error', 'abort', 'timeout'])
      request.addEventListener(eventName, () => void errorWithoutResponse(file).then(reject));
  });
  const query = new URLSearchParams({ account_id: String(shopId), file_name: file.name });
  request.open('POST', `/api/uploads/orders?${query}`);
  request.setRequestHeader('Content-Type', 'application/octet-stream');
  request.setRequestHeader(PAGE_USER_HEADER, String(userId));
  request.send(file);
  return draftIdPromise;
}
