type Values = Record<string, unknown>;

/** The prefix of our keys in the tab's session storage. */
const KEY_PREFIX = 'brickdesk.';
const FORM_PREFIX = `${KEY_PREFIX}form.`;

/** Returns the values that differ from a form's initial values, without secrets. */
export function changedValues(initialValues: Values, values: Values, secretNames: readonly string[]): Values {
  const differingEntries = Object.entries(values).filter(
    ([name, value]) =>
      !secretNames.includes(name) && JSON.stringify(value) !== JSON.stringify(initialValues[name]),
  );
  return Object.fromEntries(differingEntries);
}

interface StoredDraft {
  /** The values that the user has entered. */
  typed: Values;
  /** The record as the form showed it, if the form edits one. */
  shown?: Values | undefined;
}

/** Unsaved form input. It survives a reload and the closing of the form, but neither the closing of the tab nor signing out. */
interface FormDraft {
  /** Returns the stored input of the fields that the form still has, without secrets, and the record that it showed. */
  read(initialValues: Values, secretNames: readonly string[]): StoredDraft;
  /** Stores the input and the record that the form shows. Deletes the draft if `typed` is empty or there is no room for it. */
  write(typed: Values, shown?: Values): void;
}

const listeners = new Set<() => void>();

/** Calls the listener whenever a draft is written or deleted in this tab. Returns a function that ends this. */
export function subscribeToFormDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the names of the stored drafts. */
export const listFormDrafts = (): string[] =>
  Object.keys(window.sessionStorage).flatMap((key) =>
    key.startsWith(FORM_PREFIX) ? [key.slice(FORM_PREFIX.length)] : [],
  );

/** Stores nothing. */
const NO_DRAFT: FormDraft = { read: () => ({ typed: {} }), write: () => undefined };

/**
 * Returns the draft of a form, in the tab's session storage.
 * @param name identifies the form, its record and its user; null for a form whose input must not be stored
 */
export function openFormDraft(name: string | null): FormDraft {
  if (name === null) return NO_DRAFT;
  const key = FORM_PREFIX + name;
  return {
    read(initialValues, secretNames) {
      const storedJson = window.sessionStorage.getItem(key);
      if (storedJson === null) return { typed: {} };
      const { typed, shown } = JSON.parse(storedJson) as StoredDraft;
      const entries = Object.entries(typed).filter(
        ([field]) => field in initialValues && !secretNames.includes(field),
      );
      return { typed: Object.fromEntries(entries), shown };
    },
    write(typed, shown) {
      const draft: StoredDraft = { typed, shown };
      try {
        if (Object.keys(typed).length === 0) window.sessionStorage.removeItem(key);
        else window.sessionStorage.setItem(key, JSON.stringify(draft));
      } catch {
        // The storage is full. An older draft would be restored as if it were what the user typed last.
        window.sessionStorage.removeItem(key);
      }
      for (const listener of listeners) listener();
    },
  };
}
