type Values = Record<string, unknown>;

/** The prefix of our keys in the tab's session storage. */
const OURS = 'brickdesk.';

/** Returns the values that differ from a form's initial values, without secrets. */
export function changedValues(began: Values, values: Values, secrets: readonly string[]): Values {
  const differing = Object.entries(values).filter(
    ([name, value]) => !secrets.includes(name) && JSON.stringify(value) !== JSON.stringify(began[name]),
  );
  return Object.fromEntries(differing);
}

interface Kept {
  typed: Values;
  /** The record as the form showed it, if the form edits one. */
  shown?: Values | undefined;
}

/** Unsaved form input. It survives the closing of the form and a reload, but not the tab. */
interface FormDraft {
  /** Returns the stored values of the fields that the form still has; empty if there are none. */
  read(began: Values, secrets: readonly string[]): Kept;
  write(typed: Values, shown?: Values): void;
}

/** Stores nothing. */
const NO_DRAFT: FormDraft = { read: () => ({ typed: {} }), write: () => undefined };

/** @param name identifies the form, its record and its user; null for a form whose input must not be stored */
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
