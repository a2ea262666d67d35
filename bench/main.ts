import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { measureBackOffice } from './back-office/back-office';
import { measurePages } from './back-office/pages';
import { closeConnections } from './http-client';
import { measureImports } from './import';
import { measurePause } from './pause';
import { createMarkdownTable, createResultsPage, type Figure, missesLimit } from './report';
import { measureOperations } from './requests/operations';
import { measureRequests } from './requests/requests';
import { type CleanupSteps, type Service, startService } from './service';

/** If the bench takes longer, something hangs. */
const DEADLINE_MS = 40 * 60_000;
type Part = [name: string, measure: (service: Service, cleanupSteps: CleanupSteps) => Promise<Figure[]>];
/**
 * The parts, grouped by the service that they share. The first group leaves hundreds of thousands of orders waiting to be
 * shipped, which no real shop has, so the pages and the back office get a service of their own.
 */
const PARTS: Part[][] = [
  [
    ['imports', measureImports],
    ['pauses and memory', measurePause],
    ['requests', measureRequests],
    ['operations', measureOperations],
  ],
  [
    ['pages', measurePages],
    ['back office', measureBackOffice],
  ],
];

const cleanupSteps: CleanupSteps = [];
let cleanupPromise: Promise<void> | undefined;

/** Stops or deletes everything that was started or created, in reverse order. */
function cleanUp(): Promise<void> {
  cleanupPromise ??= (async () => {
    for (let step = cleanupSteps.pop(); step; step = cleanupSteps.pop()) {
      await step().catch((error: unknown) => console.error('Could not clean up:', error));
    }
    closeConnections();
  })().finally(() => {
    cleanupPromise = undefined;
  });
  return cleanupPromise;
}

async function abort(reason: string): Promise<never> {
  console.error(reason);
  await cleanUp();
  process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void abort(`Stopped by ${signal}.`));
setTimeout(() => void abort('The benchmark took too long.'), DEADLINE_MS).unref();

const startedAt = performance.now();
const figures: Figure[] = [];
try {
  // To run only some parts, name them: npx tsx bench/main.ts imports
  const partNames = process.argv.slice(2);
  for (const parts of PARTS) {
    const selectedParts = parts.filter(
      ([name]) => partNames.length === 0 || partNames.some((word) => name.includes(word)),
    );
    if (selectedParts.length === 0) continue;
    console.log('Starting a database and the service ...');
    const service = await startService(cleanupSteps);
    for (const [name, measure] of selectedParts) {
      console.log(`Measuring ${name} ...`);
      const measuredFigures = await measure(service, cleanupSteps);
      console.log(`\n${createMarkdownTable(measuredFigures)}\n`);
      figures.push(...measuredFigures);
    }
    await cleanUp();
  }
  if (partNames.length === 0) {
    const seconds = (performance.now() - startedAt) / 1_000;
    await writeFile(path.join(import.meta.dirname, 'results.md'), createResultsPage(figures, seconds));
  }
  if (figures.some(missesLimit)) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
