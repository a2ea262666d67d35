'use client';

import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { useIsConfirming } from '../../api/confirm-context';
import { type Field, FormFields } from './form-fields';
import { useSchemaForm } from './schema-form';

export interface FormDrawerProps<V extends Record<string, unknown>, S extends z.ZodType> {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Shown above the fields: what the form will do. */
  intro?: ReactNode;
  /** The input schema of the procedure to call. */
  schema: S;
  fields: readonly Field<keyof V & string>[];
  initialValues: V;
  /** The button's verb, such as "Create". */
  action: string;
  /** Calls the procedure. The drawer closes if that succeeds, and otherwise shows the problems at the fields. */
  onSubmit: (input: z.output<S>) => Promise<unknown>;
  /** Shown between the fields and the buttons. */
  children?: ReactNode;
}

/** The part of FormDrawer that is loaded when it is first opened. */
export function OpenedFormDrawer<V extends Record<string, unknown>, S extends z.ZodType>(
  props: FormDrawerProps<V, S>,
) {
  const t = useTranslations('common');
  const { opened, onClose, title } = props;
  const isConfirming = useIsConfirming();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      closeOnEscape={!isConfirming}
      closeButtonProps={{ 'aria-label': t('close') }}
      keepMounted={false}
    >
      <DrawerForm {...props} />
    </Drawer>
  );
}

function DrawerForm<V extends Record<string, unknown>, S extends z.ZodType>(props: FormDrawerProps<V, S>) {
  const { intro, schema, fields, initialValues, action, onSubmit, onClose, children } = props;
  const t = useTranslations('common');
  const state = useSchemaForm({
    schema,
    initialValues,
    onSubmit: async (input) => {
      await onSubmit(input);
      onClose();
    },
  });
  return (
    <form onSubmit={state.submit} noValidate>
      <Stack gap="lg">
        {intro && <div>{intro}</div>}
        <FormFields fields={fields} of={state} />
        {children}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={state.busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
