import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { z } from 'zod';
import type { ConflictDetails } from '../../../server/audit/edit-conflict-service';
import { checkConnection, recordMissingModule } from '../../api/connection';
import { useFailureText } from '../../api/failure-text';
import { failureOf } from '../../api/service-error';
import { useBackOffice } from '../../shell/back-office';
import { useProblemText } from '../feedback/problem-text';
import { compareChanges, type Edit, type EditConflict } from './edit-conflict';
import { changedValues, openFormDraft } from './form-draft';

type Values = Record<string, unknown>;

/** Returns the values to send, without empty ones. */
function withoutEmpty(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined),
  );
}

/**
 * Loads a schema, and the function that converts its issues to reasons. If that fails, the connection banner says that the service
 * cannot be reached, or that it does not have the module.
 */
const loadValidation = <S extends z.ZodType>(loadSchema: () => Promise<S>) =>
  Promise.all([loadSchema(), import('../../../server/core/errors/validation')]).catch(async (error) => {
    recordMissingModule(await checkConnection());
    throw error;
  });

export interface SchemaForm<V extends Values> {
  form: UseFormReturnType<V>;
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  busy: boolean;
  /** What was saved elsewhere while this user was editing, or null. */
  conflict: EditConflict | null;
  /** Whether the record no longer exists, so that nothing can be saved. */
  isGone: boolean;
  /** The error of the last attempt to save, unless all of its problems are shown next to fields. */
  failure: { title: string; message: string } | null;
  /** Whether there is input, other than secrets, that is neither saved nor discarded; always false without a `draftKey`. */
  isUnsaved: boolean;
  /** Whether the last attempt to save had no response, so that it may have succeeded. */
  mayBeSaved: boolean;
  discardChanges: () => void;
}

/**
 * A form validated by a procedure's input schema: in the browser before it is sent, and always by the service, whose problems are
 * shown next to the fields they concern. Mark the mutation with `SHOWS_OWN_ERROR`. The schema is loaded with the first change,
 * because zod is large and most visits do not fill in the form.
 *
 * With `draftKey`, unsaved input other than secrets stays in this tab until it is saved or discarded or the user signs out, however
 * the form is closed.
 *
 * With `edit`, a save is refused if the record has changed since the form showed it. The form then adopts the stored values of the
 * fields that this user did not change. For a field that has different new values in the form and in the record, the user chooses
 * one; no input is lost.
 */
export function useSchemaForm<V extends Values, S extends z.ZodType, R extends object = never>(options: {
  loadSchema: () => Promise<S>;
  initialValues: V;
  /** The key under which unsaved input is stored: the form and its record. Null if nothing may be stored. */
  draftKey?: string | null;
  /** The names of the fields that are never stored, such as passwords, keys and secret URLs. */
  secretNames?: readonly (keyof V & string)[];
  edit?: Edit<V, R> | null | undefined;
  /** Whether submitting does nothing. */
  disabled?: boolean;
  /** @param shownRecord the record as the form shows it, to send with the call; undefined without `edit` */
  onSubmit: (input: z.output<S>, form: UseFormReturnType<V>, shownRecord: R | undefined) => Promise<unknown>;
  /** Returns the record after a save. Required with `edit` if the form stays open, because the next save starts from it. */
  recordAfterSave?: (input: z.output<S>) => R;
}): SchemaForm<V> {
  const {
    loadSchema,
    initialValues,
    onSubmit,
    recordAfterSave,
    draftKey = null,
    secretNames = [],
    edit,
    disabled = false,
  } = options;
  const { user } = useBackOffice();
  const draft = openFormDraft(draftKey === null ? null : `${user.email}.${draftKey}`);
  // Stays the same if the record is reloaded, because that is not an edit by this user.
  const [{ baseValues, shownRecord }, setBase] = useState({
    baseValues: initialValues,
    shownRecord: edit?.shown,
  });
  const [conflict, setConflict] = useState<EditConflict | null>(null);
  const [isGone, setIsGone] = useState(false);
  const problemText = useProblemText();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SchemaForm<V>['failure']>(null);
  const [mayBeSaved, setMayBeSaved] = useState(false);
  // If preloading fails, submitting loads the schema again and reports the error.
  const preloadValidation = () => void loadValidation(loadSchema).catch(() => undefined);
  // Distinguishes the fields from those of other forms on the page.
  const name = useId().replaceAll(/[^a-z\d]/gi, '-');
  const form = useForm<V>({
    name,
    mode: 'controlled',
    initialValues,
    onValuesChange: (values) => {
      preloadValidation();
      draft.write(changedValues(baseValues, values, secretNames), shownRecord as Values | undefined);
    },
  });
  // Not in the first render, which must match the server's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => {
    const storedDraft = draft.read(baseValues, secretNames);
    if (Object.keys(storedDraft.typed).length === 0) return;
    form.setValues(storedDraft.typed as Partial<V>);
    if (!edit || !storedDraft.shown) return;
    const values = { ...baseValues, ...storedDraft.typed };
    const changes = compareChanges({ ...edit, shown: storedDraft.shown as R }, edit.shown, values);
    if (changes.conflictingFields.length > 0)
      setConflict({ ...changes, record: edit.shown as Values, by: null, at: null });
  }, []);

  /** Continues the edit from the record as it is stored now. */
  const rebaseEdit = (
    { stored, by, at }: ConflictDetails,
    { valuesOf, fieldNames }: Edit<V, R>,
    lastShownRecord: R,
  ) => {
    const currentRecord = { ...lastShownRecord, ...stored };
    const values = form.getValues();
    const changes = compareChanges(
      { shown: lastShownRecord, valuesOf, ...(fieldNames && { fieldNames }) },
      currentRecord,
      values,
    );
    const currentValues = valuesOf(currentRecord);
    const adoptedValues = Object.fromEntries(changes.adoptedNames.map((name) => [name, currentValues[name]]));
    setBase({ baseValues: currentValues, shownRecord: currentRecord });
    setConflict({ ...changes, record: currentRecord as Values, by, at });
    form.setValues(adoptedValues as Partial<V>);
    draft.write(
      changedValues(currentValues, { ...values, ...adoptedValues }, secretNames),
      currentRecord as Values,
    );
  };

  /** Shows problems next to their fields. Returns whether there are any and all of them belong to a field. */
  const showProblems = (problems: readonly { path: string; message: string }[]): boolean => {
    const fieldProblems = problems.filter(({ path }) => path.split('.')[0]! in initialValues);
    form.setErrors(
      Object.fromEntries(fieldProblems.map(({ path, message }) => [path.split('.')[0], message])),
    );
    const firstField = fieldProblems[0]?.path.split('.')[0];
    if (firstField) form.getInputNode(firstField)?.focus();
    return fieldProblems.length > 0 && fieldProblems.length === problems.length;
  };

  const sendForm = async () => {
    setFailure(null);
    setMayBeSaved(false);
    form.clearErrors();
    setBusy(true);
    try {
      const [loadedSchema, { reasonOf }] = await loadValidation(loadSchema);
      const sentValues = form.getValues();
      const result = loadedSchema.safeParse(withoutEmpty(sentValues));
      if (!result.success) {
        const problems = result.error.issues.map((issue) => ({
          path: issue.path.join('.'),
          message: problemText(reasonOf(issue)),
        }));
        if (!showProblems(problems)) setFailure({ title: '', message: problems[0]?.message ?? '' });
        return;
      }
      await onSubmit(result.data, form, shownRecord);
      // What was typed in the meantime is not saved yet.
      draft.write(changedValues(sentValues, changedValues(baseValues, form.getValues(), secretNames), []));
      if (edit && recordAfterSave) {
        const savedRecord = recordAfterSave(result.data);
        setBase({ baseValues: edit.valuesOf(savedRecord), shownRecord: savedRecord });
        setConflict(null);
      }
    } catch (error) {
      const serviceFailure = failureOf(error);
      if (edit && shownRecord && serviceFailure.conflict)
        return rebaseEdit(serviceFailure.conflict, edit, shownRecord);
      if (edit && serviceFailure.code === 'not_found') setIsGone(true);
      setMayBeSaved(serviceFailure.code === 'unanswered');
      const problems = serviceFailure.problems.map((problem) => ({
        path: problem.path,
        message: problemText(problem),
      }));
      if (!showProblems(problems)) setFailure(failureText(serviceFailure));
    } finally {
      setBusy(false);
    }
  };

  return {
    form,
    submit: (event) => {
      event?.preventDefault();
      if (!busy && !isGone && !disabled) void sendForm();
    },
    busy,
    conflict,
    isGone,
    failure,
    isUnsaved:
      draftKey !== null && Object.keys(changedValues(baseValues, form.getValues(), secretNames)).length > 0,
    mayBeSaved,
    discardChanges: () => {
      form.setValues(baseValues);
      form.clearErrors();
      setFailure(null);
      setMayBeSaved(false);
      setConflict(null);
      draft.write({});
    },
  };
}
