type Values = Record<string, unknown>;

/** The prefix of our keys in the tab's storage. */
const OURS = 'brickdesk.';

/** The values that differ from those that a form began with. Secrets are left out. */
export function changedValues(began: Values, values: Values, secrets: readonly string[]): Values {
  const differing = Object.entries(values).filter(
    ([name, value]) => !secrets.includes(name) && JSON.stringify(value) !== JSON.stringify(began[name]),
  );
  return Object.fromEntries(differing);
}

interface Kept {
  typed: Values;
  /** The record as it was shown in the form, if the form edits one. */
  shown?: Values | undefined;
}

/** What was typed into a form and not saved. It outlives the form and a reload, but not the tab. */
interface FormDraft {
  /** The kept members that the form still has; empty if there are none. */
  read(began: Values, secrets: readonly string[]): Kept;
  write(typed: Values, shown?: Values): void;
}

/** Keeps nothing. */
const NO_DRAFT: FormDraft = { read: () => ({ typed: {} }), write: () => undefined };

/** @param name of the form, its record and its user; null for a form that must not be kept */
export function formDraft(name: string | null): FormDraft {
  if (name === null) return NO_DRAFT;
  const key = `${OURS}form.${name}`;
  return {
    read(began, secrets) {
      const kept = window.sessionStorage.getItem(key);
      if (kept === null) return { typed: {} };
      const { typed, shown } = JSON.parse(kept) as Kept;
      const known = Object.entries(typed).filter(([member]) => member in began && !secrets.includes(member));
      return { typed: Object.fromEntries(known), shown };
    },
    write(typed, shown) {
      if (Object.keys(typed).length === 0) window.sessionStorage.removeItem(key);
      else window.sessionStorage.setItem(key, JSON.stringify({ typed, shown } satisfies Kept));
    },
  };
}
