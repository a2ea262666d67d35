'use client';

import {
  Alert,
  Checkbox,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Sentences } from '../value/sentences';
import { ConflictNotice } from './conflict-notice';
import type { Field } from './field';
import type { SchemaForm } from './schema-form';

// biome-ignore lint/suspicious/noExplicitAny: a form with any values; the field's name is checked where it is declared
type AnyForm = SchemaForm<any>;

/** A select with more options than this, such as time zones, is searchable. */
const MAX_OPTIONS_WITHOUT_SEARCH = 30;

function FieldInput({ field, form, isFirst }: { field: Field; form: AnyForm['form']; isFirst: boolean }) {
  const t = useTranslations('common');
  const { name, kind = 'text', label, description, options = [], placeholder, autoComplete } = field;
  const { mono, required } = field;
  const sharedProps = {
    label,
    description,
    placeholder,
    // A required select has a value from the start.
    withAsterisk: required && kind !== 'select',
    name,
    // In a drawer, the first field is focused rather than the close button.
    ...(isFirst ? { 'data-autofocus': true } : {}),
    ...(mono ? { classNames: { input: 'mono' } } : {}),
  };
  const inputProps = form.getInputProps(name);
  switch (kind) {
    case 'password':
      return (
        <PasswordInput
          {...sharedProps}
          {...inputProps}
          // Mantine sets this on all other inputs.
          aria-invalid={inputProps.error ? true : undefined}
          autoComplete={autoComplete}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
        />
      );
    case 'number':
      return <NumberInput {...sharedProps} {...inputProps} allowNegative={false} />;
    case 'lines':
      return <Textarea {...sharedProps} {...inputProps} autosize minRows={3} maxRows={16} />;
    case 'switch':
      return (
        <Switch label={label} description={description} {...form.getInputProps(name, { type: 'checkbox' })} />
      );
    case 'select':
      return (
        <Select
          {...sharedProps}
          {...inputProps}
          data={options}
          allowDeselect={!required}
          searchable={options.length > MAX_OPTIONS_WITHOUT_SEARCH}
        />
      );
    case 'selectMany':
      return <MultiSelect {...sharedProps} {...inputProps} data={options} hidePickedOptions />;
    case 'checkMany':
      return (
        <Checkbox.Group label={label} description={description} {...inputProps}>
          <Stack gap="sm" mt="sm">
            {options.map((option) => (
              <Checkbox key={option.value} {...option} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case 'tags':
      return (
        <TagsInput {...sharedProps} {...inputProps} splitChars={[',', ';', ' ', '\n']} acceptValueOnBlur />
      );
    default:
      return (
        <TextInput
          {...sharedProps}
          {...inputProps}
          type={kind === 'day' ? 'date' : kind}
          autoComplete={autoComplete ?? 'off'}
        />
      );
  }
}

/** The fields of a form with their problems, below the problems that belong to no field. */
export function FormFields({
  fields,
  otherFields = [],
  state: { form, failure, conflict, isGone },
}: {
  fields: readonly Field[];
  /** Fields that the form shows elsewhere, for the notice about a change that somebody else has saved in the meantime. */
  otherFields?: readonly Field[];
  state: Pick<AnyForm, 'form' | 'failure'> & Partial<Pick<AnyForm, 'conflict' | 'isGone'>>;
}) {
  const t = useTranslations('common');
  return (
    <Stack gap="md">
      {conflict && <ConflictNotice conflict={conflict} fields={[...fields, ...otherFields]} form={form} />}
      {failure && (
        <Alert
          role="alert"
          color="red"
          variant="light"
          title={isGone ? t('edit.gone') : failure.title || undefined}
        >
          <Sentences>
            {failure.message}
            {isGone && t('edit.goneHint')}
          </Sentences>
        </Alert>
      )}
      {fields
        .filter(({ isShown }) => isShown?.(form.getValues()) ?? true)
        .map((field, index) => (
          <FieldInput key={field.name} field={field} form={form} isFirst={index === 0} />
        ))}
    </Stack>
  );
}
