'use client';

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { useIsConfirming } from '../../api/confirm-context';
import { OpenedDrawer } from '../dialog/opened-drawer';
import type { Edit } from './edit-conflict';
import type { Field } from './field';
import { FormButtons } from './form-buttons';
import { FormFields } from './form-fields';
import { useSchemaForm } from './schema-form';

export interface FormDrawerProps<
  V extends Record<string, unknown>,
  S extends z.ZodType,
  R extends object = never,
> {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Shown above the fields: explains what the form will do. */
  intro?: ReactNode;
  /** Loads the input schema of the procedure to call. */
  loadSchema: () => Promise<S>;
  fields: readonly Field<keyof V & string>[];
  initialValues: V;
  /**
   * The key under which unsaved input is stored until it is saved or discarded: the form and its record, such as `shop 3`. Null for
   * forms with nothing but secrets or confirmations. Fields of the kind `password` are never stored.
   */
  draftKey: string | null;
  /** For a form that edits a stored record. */
  edit?: Edit<V, R> | null | undefined;
  /** The label of the submit button: a verb, such as "Create". */
  action: string;
  /**
   * Calls the procedure, with `shownRecord` as its `shown` if the form edits a record. If the call succeeds, the drawer closes; if
   * not, the drawer shows the problems.
   */
  onSubmit: (input: z.output<S>, shownRecord: R | undefined) => Promise<unknown>;
  /** Shown between the fields and the buttons. */
  children?: ReactNode;
}

/** The part of FormDrawer that is loaded when it is first opened. */
export function OpenedFormDrawer<V extends Record<string, unknown>, S extends z.ZodType, R extends object>(
  props: FormDrawerProps<V, S, R>,
) {
  const { opened, onClose, title } = props;
  const isConfirming = useIsConfirming();
  return (
    <OpenedDrawer
      opened={opened}
      onClose={onClose}
      title={title}
      closeOnEscape={!isConfirming}
      keepMounted={false}
    >
      <DrawerForm {...props} />
    </OpenedDrawer>
  );
}

function DrawerForm<V extends Record<string, unknown>, S extends z.ZodType, R extends object>(
  props: FormDrawerProps<V, S, R>,
) {
  const { intro, loadSchema, fields, initialValues, draftKey, edit, action, onSubmit, onClose, children } =
    props;
  const formState = useSchemaForm({
    // While the drawer closes, the second click of a double click would save again.
    disabled: !props.opened,
    loadSchema,
    initialValues,
    draftKey,
    edit,
    secretNames: fields.filter(({ kind }) => kind === 'password').map(({ name }) => name),
    onSubmit: async (input, _form, shownRecord) => {
      await onSubmit(input, shownRecord);
      onClose();
    },
  });
  return (
    <form onSubmit={formState.submit} noValidate>
      <Stack gap="lg">
        {intro && <div>{intro}</div>}
        <FormFields fields={fields} state={formState} />
        {children}
        <FormButtons state={formState} action={action} onClose={onClose} />
      </Stack>
    </form>
  );
}
