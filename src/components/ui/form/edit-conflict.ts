import type { ConflictDetails } from '../../../server/audit/edit-conflict-service';

type Values = Record<string, unknown>;

/** How a form edits a stored record. The service refuses to overwrite a change that the form has not shown. */
export interface Edit<V extends Values, R extends object> {
  /** The record as it was when the form was opened. */
  shown: R;
  /** Returns the form's values for a record. */
  valuesOf: (record: R) => V;
  /** The form's names for properties of the record, if they differ. */
  fieldNames?: { readonly [Name in keyof R]?: keyof V & string };
}

/** A change that was saved elsewhere while a form was open, as the form shows it. */
export interface EditConflict extends Pick<ConflictDetails, 'by' | 'at'> {
  /** The record as it is now. */
  record: Values;
  /** The names of the fields that were changed in the record but not in the form; they now have the stored values. */
  adoptedNames: string[];
  /** The fields with two different new values: the one that is stored, and the one that this user entered. */
  conflictingFields: { name: string; storedValue: unknown; enteredValue: unknown }[];
}

/** Returns whether two values are equal as JSON; undefined equals null. */
export const isEqual = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/**
 * Compares what a user entered with a record that has changed since the form showed it. A field with the same new value in the
 * form and in the record is neither adopted nor conflicting.
 * @param currentRecord the record as it is stored
 * @param values the form's values
 */
export function compareChanges<V extends Values, R extends object>(
  { shown, valuesOf, fieldNames = {} }: Edit<V, R>,
  currentRecord: R,
  values: V,
): Pick<EditConflict, 'adoptedNames' | 'conflictingFields'> {
  const [initialValues, storedValues] = [valuesOf(shown), valuesOf(currentRecord)];
  const changedNames = (Object.keys(currentRecord) as (keyof R & string)[])
    .filter((name) => !isEqual(shown[name], currentRecord[name]))
    .map((name) => fieldNames[name] ?? name)
    .filter((name) => name in values && name in storedValues);
  const isTouched = (name: string) => !isEqual(values[name], initialValues[name]);
  return {
    adoptedNames: changedNames.filter((name) => !isTouched(name)),
    conflictingFields: changedNames
      .filter((name) => isTouched(name) && !isEqual(values[name], storedValues[name]))
      .map((name) => ({ name, storedValue: storedValues[name], enteredValue: values[name] })),
  };
}
