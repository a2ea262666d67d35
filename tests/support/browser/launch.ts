import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright';

/** The headless shell comes first: it is the same browser without windows, and pages load in half the time. */
const CHROMIUM_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Returns the path of Chromium. Throws an error that says what to install if there is none. */
function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...CHROMIUM_NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
  ];
  const program = candidates.find((file) => file !== undefined && existsSync(file));
  if (program) return program;
  throw new Error('Chromium is needed: "apt-get install chromium-headless-shell", or set CHROMIUM_PATH.');
}

/** Launches a real Chromium that makes no network requests of its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // A page lives for a second or two: optimising its scripts, and axe-core, can take longer than running them.
      '--js-flags=--no-maglev,--no-turbofan',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
