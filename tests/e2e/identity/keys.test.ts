import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { chooseAction, confirmAction, readSecret } from '../../support/browser/page-actions';
import { itRendersInEveryView } from '../../support/browser/views';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-keys');
});
afterAll(() => backOffice?.close());

describe('API keys', () => {
  let key: string;
  let newKey: string;

  it('are shown once, and work immediately', async () => {
    await backOffice.withPage('/keys', async (page) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('ERP bridge');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog').filter({ hasText: 'This is shown only once' });
      await dialog.getByText(`curl '${backOffice.service.url}/api/legos-head'`).waitFor();
      // Only the explicit confirmation closes the dialog.
      await page.keyboard.press('Escape');
      key = await readSecret(page);
      expect(await page.getByText(key).count()).toBe(0);
      await page.getByRole('row', { name: /ERP bridge .*All operations Anywhere/ }).waitFor();
      // On a phone, the card says when the key was last used and when it expires.
      await page.setViewportSize({ width: 390, height: 800 });
      for (const label of ['Last used', 'Expires']) {
        const cell = page.getByRole('row', { name: /ERP bridge/ }).locator(`[data-label="${label}"]`);
        await cell.waitFor();
        expect(await cell.getAttribute('data-card')).toBe('labelled');
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    });
    expect(await backOffice.callApi(key, '/api/legos-head')).toBe(200);
  });

  it('are limited to the chosen operations and addresses', async () => {
    await backOffice.withPage('/keys', async (page) => {
      await chooseAction(page, 'ERP bridge', 'Edit');
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('Allowed addresses').fill('not an address');
      await drawer.getByRole('button', { name: 'Save' }).click();
      await drawer.getByText('must be an address or a range such as 10.0.0.0/8').waitFor();
      await drawer.getByLabel('Allowed addresses').focus();
      for (let pressCount = 0; pressCount < 3; pressCount++) await page.keyboard.press('Backspace');
      await drawer.getByLabel('Allowed addresses').fill('10.0.0.0/8');
      await page.keyboard.press('Enter');
      await drawer.getByLabel('Import orders').check();
      await drawer.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: /ERP bridge .*1 operation 10\.0\.0\.0\/8/ }).waitFor();
      // This call comes from 127.0.0.1.
      expect(await backOffice.callApi(key, '/api/orders/import', {})).toBe(403);
      await chooseAction(page, 'ERP bridge', 'Edit');
      await drawer.getByLabel('Allowed addresses').fill('127.0.0.0/8');
      await page.keyboard.press('Enter');
      await drawer.getByRole('button', { name: 'Save' }).click();
      await page
        .getByRole('row', { name: /ERP bridge .*1 operation 10\.0\.0\.0\/8, 127\.0\.0\.0\/8/ })
        .waitFor();
    });
    expect(await backOffice.callApi(key, '/api/orders/import', {})).toBe(422);
    expect(await backOffice.callApi(key, '/api/legos-head')).toBe(403);
  });

  it('can be rotated; the old key is still recognised, and its page shows who uses it', async () => {
    await backOffice.withPage('/keys', async (page) => {
      await chooseAction(page, 'ERP bridge', 'Rotate');
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      newKey = await readSecret(page);
      expect(newKey).not.toBe(key);
      await page.getByText('Replaced; no logged request since').waitFor();
    });
    expect(await backOffice.callApi(key, '/api/legos-head')).toBe(403);
    // Calls are stored about a second later.
    const readStoredCalls = () => backOffice.queryDatabase('SELECT FROM api_key_calls WHERE status = 403');
    await expect.poll(readStoredCalls).toHaveLength(3);
    await backOffice.withPage('/keys?search=Replaced', async (page) => {
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    });
    await backOffice.withPage('/keys', async (page) => {
      await page
        .getByRole('row', { name: /Replaced/ })
        .getByRole('link', { name: 'ERP bridge' })
        .click();
      await page.getByText('The request log shows one use since:').waitFor();
      const callerTable = page.getByRole('table', { name: 'Who still uses the old secret' });
      await callerTable.getByRole('row', { name: /^127\.0\.0\.1 1 / }).waitFor();
      await page.getByRole('combobox', { name: 'Requests' }).selectOption('only');
      await page
        .getByRole('row', { name: /GET \/api\/legos-head .* 403 .*127\.0\.0\.1/ })
        .first()
        .waitFor();
      await page.waitForURL(/errors=only/);
      await expect.poll(() => page.getByRole('row', { name: / 200 / }).count()).toBe(0);
    });
  });

  it('are refused from the moment they are revoked', async () => {
    await backOffice.withPage('/keys', async (page) => {
      const link = page
        .getByRole('row', { name: /ERP bridge/ })
        .filter({ hasNotText: 'Replaced' })
        .getByRole('link');
      await link.click();
      await page.getByRole('button', { name: 'Revoke' }).click();
      await confirmAction(page, 'Revoke');
      await page.getByRole('main').getByText('Revoked').first().waitFor();
    });
    expect(await backOffice.callApi(newKey, '/api/orders/import', {})).toBe(401);
  });

  it('are filtered by their state', async () => {
    await backOffice.queryDatabase(
      "UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE revoked_at IS NULL",
    );
    await backOffice.withPage('/keys', async (page) => {
      const stateSelect = page.getByLabel('State', { exact: true });
      expect(await stateSelect.getByRole('option').allInnerTexts()).toEqual([
        'State: any',
        'Active',
        'Expired',
        'Revoked',
      ]);
      await stateSelect.selectOption('Expired');
      await page.waitForURL(/state=expired/);
      await expect.poll(() => page.getByRole('row', { name: / Expired / }).count()).toBeGreaterThan(0);
      await expect.poll(() => page.getByRole('row', { name: / (Active|Revoked) / }).count()).toBe(0);
    });
  });
});

describe('OAuth clients', () => {
  it('are registered only with a valid redirect URI, get a secret that is shown once, and can be revoked', async () => {
    await backOffice.withPage('/clients', async (page) => {
      await page.getByRole('heading', { name: 'There are no clients yet' }).waitFor();
      const discoveryUrl = `${backOffice.service.url.replace('127.0.0.1', 'localhost')}/.well-known/openid-configuration`;
      await page.getByRole('button', { name: `Copy ${discoveryUrl}` }).waitFor();
      expect((await fetch(discoveryUrl)).status).toBe(200);
      await page.getByRole('button', { name: 'Register a client' }).first().click();
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('Name').fill('Wiki');
      await drawer.getByLabel('Redirect URIs').fill('http://wiki.example/callback');
      await drawer.getByRole('button', { name: 'Register a client' }).click();
      await drawer.getByText('must use https:').waitFor();
      await drawer.getByLabel('Redirect URIs').focus();
      await page.keyboard.press('Backspace');
      await page.keyboard.type('https://wiki.example/callback');
      await drawer.getByRole('button', { name: 'Register a client' }).click();
      expect((await readSecret(page)).length).toBeGreaterThan(20);
      await page.getByRole('row', { name: /Wiki .*Confidential https:\/\/wiki.example\/callback/ }).waitFor();
      await chooseAction(page, 'Wiki', 'Revoke');
      await confirmAction(page, 'Revoke');
      await page.getByRole('row', { name: /Revoked/ }).waitFor();
      await page.getByRole('button', { name: 'Rotate the signing key' }).click();
      await confirmAction(page, 'Rotate the signing key');
      await page.getByText('New tokens are now signed with a new key.').last().waitFor();
    });
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/keys', 'keys'],
    ['/keys/1', 'key'],
    ['/clients', 'clients'],
  ],
);
