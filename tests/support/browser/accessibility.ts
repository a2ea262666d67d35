import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { still } from './browser';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns what axe-core finds serious or critical on the page once it is still, with the first elements of each finding. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // What is fading has too little contrast.
  await still(page);
  // Evaluated rather than added as a script, which the page's policy would refuse.
  await page.evaluate(await source);
  return page.evaluate(async () => {
    interface Finding {
      id: string;
      impact: string | null;
      nodes: { html: string; failureSummary?: string }[];
    }
    interface Options {
      resultTypes: string[];
      preload: boolean;
    }
    const { axe } = window as unknown as {
      axe: { run(options: Options): Promise<{ violations: Finding[] }> };
    };
    // It describes no element that is in order, and loads no style sheet again: a third of the time.
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
