import { afterEach, expect, it, vi } from 'vitest';
import { failureOf } from '../../../../../src/components/api/service-error';
import { readBase64 } from '../../../../../src/components/ui/form/csv-file';

afterEach(() => vi.unstubAllGlobals());

it('a file that the browser cannot read is reported as unreadable', async () => {
  class FailingReader extends EventTarget {
    error = new DOMException('A folder', 'NotFoundError');
    readAsDataURL() {
      this.dispatchEvent(new Event('error'));
    }
  }
  vi.stubGlobal('FileReader', FailingReader);
  const error = await readBase64(new File([], 'folder')).catch((reason: unknown) => reason);
  expect(failureOf(error)).toMatchObject({ code: 'unreadable_file' });
});
