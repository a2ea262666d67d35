import { Presets, SingleBar } from 'cli-progress';

const STAGES = ['reading', 'checking', 'storing'] as const;

/** Shows how far an import is. */
export interface Progress {
  stage(name: (typeof STAGES)[number]): void;
  /** Takes the bar away; again does nothing. */
  end(): void;
}

/** A bar on stderr where that is a terminal, else nothing: stdout belongs to the result. */
export function showProgress(): Progress {
  if (!process.stderr.isTTY) return { stage: () => undefined, end: () => undefined };
  const bar = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {stage} {duration_formatted}',
      barsize: 24,
      clearOnComplete: true,
      linewrap: true,
    },
    Presets.shades_classic,
  );
  bar.start(STAGES.length, 0, { stage: '' });
  return {
    stage: (name) => bar.update(STAGES.indexOf(name), { stage: name }),
    end: () => bar.stop(),
  };
}
