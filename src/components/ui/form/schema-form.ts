import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, useId, useState } from 'react';
import type { z } from 'zod';
import { reasonOf } from '../../../server/core/validation';
import { useFailureText } from '../../api/failure-text';
import { failureOf } from '../../api/service-error';
import { useProblemText } from '../feedback/problem-text';

type Values = Record<string, unknown>;

/** The values to send, without empty ones. */
function given(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined),
  );
}

export interface SchemaForm<V extends Values> {
  form: UseFormReturnType<V>;
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  busy: boolean;
  /** The part of the service's refusal that belongs to no field. */
  failure: { title: string; message: string } | null;
}

/**
 * A form validated by a procedure's input schema: here before it is sent, and always by the service, whose problems appear at
 * the fields that they name. Mark the mutation with `OWN_ERROR`.
 */
export function useSchemaForm<V extends Values, S extends z.ZodType>(options: {
  schema: S;
  initialValues: V;
  onSubmit: (input: z.output<S>, form: UseFormReturnType<V>) => Promise<unknown>;
}): SchemaForm<V> {
  const { schema, initialValues, onSubmit } = options;
  const problemText = useProblemText();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SchemaForm<V>['failure']>(null);
  // Distinguishes its fields from those of other forms on the page.
  const name = useId().replaceAll(/[^a-z\d]/gi, '-');
  const form = useForm<V>({ name, mode: 'controlled', initialValues });

  const refuse = (problems: readonly { path: string; message: string }[]): boolean => {
    const own = problems.filter(({ path }) => path.split('.')[0]! in initialValues);
    form.setErrors(Object.fromEntries(own.map(({ path, message }) => [path.split('.')[0], message])));
    const first = own[0]?.path.split('.')[0];
    if (first) form.getInputNode(first)?.focus();
    return own.length > 0 && own.length === problems.length;
  };

  const send = async () => {
    setFailure(null);
    form.clearErrors();
    const checked = schema.safeParse(given(form.getValues()));
    if (!checked.success) {
      const problems = checked.error.issues.map((issue) => ({
        path: issue.path.join('.'),
        message: problemText(reasonOf(issue)),
      }));
      if (!refuse(problems)) setFailure({ title: '', message: problems[0]?.message ?? '' });
      return;
    }
    setBusy(true);
    try {
      await onSubmit(checked.data, form);
    } catch (error) {
      const refused = failureOf(error);
      const problems = refused.problems.map((problem) => ({
        path: problem.path,
        message: problemText(problem),
      }));
      if (!refuse(problems)) setFailure(failureText(refused));
    } finally {
      setBusy(false);
    }
  };

  return {
    form,
    submit: (event) => {
      event?.preventDefault();
      if (!busy) void send();
    },
    busy,
    failure,
  };
}
