import { useRef } from 'react';

export interface UndoStep {
  /** The order or tracking numbers of the entries, as a list in the reader's language. */
  numbersText: string;
  /** Undoes the action. Returns whether there was anything to undo. */
  run: () => Promise<boolean>;
}

/** The maximum number of actions that can be undone. */
const MAX_STEPS = 50;

/** Keeps the actions that can be undone, the latest last. */
export function useUndoSteps() {
  const steps = useRef<readonly UndoStep[]>([]);
  const runningSteps = useRef(new Set<UndoStep>());
  const drop = (step: UndoStep) => {
    steps.current = steps.current.filter((other) => other !== step);
  };
  return {
    add(step: UndoStep) {
      steps.current = [...steps.current, step].slice(-MAX_STEPS);
      return step;
    },
    drop,
    /** Returns the latest action that is not being undone yet. */
    last: () => steps.current.findLast((step) => !runningSteps.current.has(step)),
    /**
     * Undoes an action. If that fails, it can be tried again, unless the action itself has turned out to have failed.
     * @returns whether anything was undone, and the error if it can be tried again
     */
    async run(step: UndoStep): Promise<{ isUndone: boolean; error?: unknown }> {
      if (!steps.current.includes(step) || runningSteps.current.has(step)) return { isUndone: false };
      runningSteps.current.add(step);
      try {
        const isUndone = await step.run();
        drop(step);
        return { isUndone };
      } catch (error) {
        return steps.current.includes(step) ? { isUndone: false, error } : { isUndone: false };
      } finally {
        runningSteps.current.delete(step);
      }
    },
  };
}
