import { Presets, SingleBar } from 'cli-progress';

const STAGES = ['reading', 'checking', 'storing'] as const;

/** Shows the progress of an import. */
export interface Progress {
  setStage(name: (typeof STAGES)[number]): void;
  /** Removes the bar; calling it again does nothing. */
  end(): void;
}

/** Shows a progress bar on stderr if that is a terminal; stdout is for the result. */
export function showProgress(): Progress {
  if (!process.stderr.isTTY) return { setStage: () => undefined, end: () => undefined };
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
    setStage: (name) => bar.update(STAGES.indexOf(name), { stage: name }),
    end: () => bar.stop(),
  };
}
