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
import type { SchemaForm } from './schema-form';

/** The field for one member of the input. */
export interface Field<Name extends string = string> {
  name: Name;
  label: string;
  description?: string;
  kind?:
    | 'text'
    | 'email'
    | 'password'
    | 'number'
    | 'day'
    | 'lines'
    | 'switch'
    | 'select'
    | 'selectMany'
    | 'checkMany'
    | 'tags';
  options?: { value: string; label: string; description?: string }[];
  /** Shown only if the other values require it. */
  when?: (values: Record<string, unknown>) => boolean;
  placeholder?: string;
  autoComplete?: string;
  required?: boolean;
  /** Shown in a monospaced font: codes, ids. */
  mono?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a form of whichever values; the field's name is checked where it is declared
type AnyForm = SchemaForm<any>;

function FieldInput({ field, form, first }: { field: Field; form: AnyForm['form']; first: boolean }) {
  const t = useTranslations('common');
  const { name, kind = 'text', label, description, options = [], placeholder, autoComplete } = field;
  const { mono, required } = field;
  const common = {
    label,
    description,
    placeholder,
    // A required select always has a value.
    withAsterisk: required && kind !== 'select',
    name,
    // In a drawer the focus starts here rather than on the close button.
    ...(first ? { 'data-autofocus': true } : {}),
    ...(mono ? { classNames: { input: 'mono' } } : {}),
  };
  const bound = form.getInputProps(name);
  switch (kind) {
    case 'password':
      return (
        <PasswordInput
          {...common}
          {...bound}
          // Mantine sets this on every other kind of input.
          aria-invalid={bound.error ? true : undefined}
          autoComplete={autoComplete}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
        />
      );
    case 'number':
      return <NumberInput {...common} {...bound} allowNegative={false} />;
    case 'lines':
      return <Textarea {...common} {...bound} autosize minRows={3} maxRows={16} />;
    case 'switch':
      return (
        <Switch label={label} description={description} {...form.getInputProps(name, { type: 'checkbox' })} />
      );
    case 'select':
      return <Select {...common} {...bound} data={options} allowDeselect={!required} />;
    case 'selectMany':
      return <MultiSelect {...common} {...bound} data={options} hidePickedOptions />;
    case 'checkMany':
      return (
        <Checkbox.Group label={label} description={description} {...bound}>
          <Stack gap="sm" mt="sm">
            {options.map((option) => (
              <Checkbox key={option.value} {...option} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case 'tags':
      return <TagsInput {...common} {...bound} splitChars={[',', ';', ' ', '\n']} acceptValueOnBlur />;
    default:
      return (
        <TextInput
          {...common}
          {...bound}
          type={kind === 'day' ? 'date' : kind}
          autoComplete={autoComplete ?? 'off'}
        />
      );
  }
}

/** The fields of a form, each with its problem, and above them the problems that belong to no field. */
export function FormFields({ fields, of: { form, failure } }: { fields: readonly Field[]; of: AnyForm }) {
  return (
    <Stack gap="md">
      {failure && (
        <Alert role="alert" color="red" variant="light" title={failure.title || undefined}>
          {failure.message}
        </Alert>
      )}
      {fields
        .filter(({ when }) => when?.(form.getValues()) ?? true)
        .map((field, index) => (
          <FieldInput key={field.name} field={field} form={form} first={index === 0} />
        ))}
    </Stack>
  );
}
