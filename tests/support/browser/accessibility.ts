import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { waitForAnimations } from './browser';

const axeSourcePromise = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Waits for the page's title and for animations to end. Returns axe-core's serious and critical violations, with the first three
 * elements of each.
 */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  // Next streams the title, so after a click on a link it may arrive later than the content.
  await page.waitForFunction(() => document.title !== '');
  // Elements that are fading have too little contrast.
  await waitForAnimations(page);
  // Evaluated rather than added as a script, which the page's Content-Security-Policy would block.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await axeSourcePromise);
  return page.evaluate(async () => {
    interface Violation {
      id: string;
      impact: string | null;
      nodes: { html: string; failureSummary?: string }[];
    }
    interface Options {
      resultTypes: string[];
      preload: boolean;
    }
    const { axe } = window as unknown as {
      axe: { run(options: Options): Promise<{ violations: Violation[] }> };
    };
    // Without details of other elements and without loading the style sheets again, this takes a third of the time.
    const { violations } = await axe.run({ resultTypes: ['violations'], preload: false });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
            .slice(0, 3)
            .join('\n')}`,
      );
  });
}
