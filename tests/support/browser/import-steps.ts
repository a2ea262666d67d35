import type { Page } from 'playwright';

/** Chooses a file on the import page. */
export const chooseFile = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Uploads a file, given by its path or by its name and text, and waits for the preview of its import. */
export async function uploadAndPreview(
  page: Page,
  file: string | { name: string; text: string },
): Promise<void> {
  if (typeof file === 'string') await page.locator('input[type=file]').setInputFiles(file);
  else await chooseFile(page, file.name, file.text);
  await page.waitForURL(/\/import\/[0-9a-f-]{36}/);
  await page.getByRole('button', { name: 'Import now' }).waitFor();
}

/** Imports the file that is previewed. */
export async function importNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import now' }).click();
  await page.getByRole('link', { name: 'Show the import' }).waitFor();
}
