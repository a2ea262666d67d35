'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useFormatter, useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { Instant } from '../value/time/instant';
import { type EditConflict, isEqual } from './edit-conflict';
import type { Field } from './field';

/** Returns a function that formats a field's value as the form shows it. */
function useValueText(): (field: Field | undefined, value: unknown) => string {
  const t = useTranslations('common');
  const format = useFormatter();
  const textOf = (field: Field | undefined, value: unknown): string => {
    if (field?.valueText) return field.valueText(value) || t('edit.empty');
    if (value === '' || value === null || value === undefined) return t('edit.empty');
    if (typeof value === 'boolean') return t(value ? 'edit.on' : 'edit.off');
    if (Array.isArray(value))
      return value.length === 0 ? t('edit.empty') : format.list(value.map((item) => textOf(field, item)));
    return field?.options?.find((option) => option.value === String(value))?.label ?? String(value);
  };
  return textOf;
}

/**
 * Says above a form's fields that the record was changed while this user was editing, and by whom, if that is known. For each field
 * with two different new values (the stored one and this user's), it shows both; until the form is saved, the user can choose
 * either.
 */
export function ConflictNotice({
  conflict,
  fields,
  form,
}: {
  conflict: EditConflict;
  fields: readonly Field[];
  // biome-ignore lint/suspicious/noExplicitAny: a form with any values; the names come from its own conflict
  form: UseFormReturnType<any>;
}) {
  const t = useTranslations('common');
  const format = useFormatter();
  const textOf = useValueText();
  const notice = useRef<HTMLDivElement>(null);
  const { by, at, adoptedNames, conflictingFields, record } = conflict;
  const fieldOf = (name: string) => fields.find((field) => field.name === name);
  const labelOf = (name: string) => fieldOf(name)?.label ?? name;
  // On a small screen, the notice may be out of view when the user saves.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new conflict
  useEffect(() => notice.current?.focus(), [conflict]);
  const title = by ? (by.you ? t('edit.byYou') : t('edit.by', { name: by.name })) : t('edit.bySomebody');
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color="yellow"
      variant="light"
      title={title}
      c="var(--mantine-color-text)"
    >
      <Stack gap="sm">
        <Text size="sm">
          {at && (
            <>
              <Instant value={at} />
              {' · '}
            </>
          )}
          {t(conflictingFields.length > 0 ? 'edit.choose' : 'edit.saveAgain')}
        </Text>
        {adoptedNames.length > 0 && (
          <Text size="sm">{t('edit.taken', { fields: format.list(adoptedNames.map(labelOf)) })}</Text>
        )}
        {conflictingFields.map(({ name, storedValue, enteredValue }) => {
          const field = fieldOf(name);
          const isStoredValueChosen = isEqual(form.getValues()[name], storedValue);
          const renderLine = (text: string, buttonLabel: string, value: unknown, isChosen: boolean) => (
            <Group gap="sm" wrap="nowrap" justify="space-between" align="flex-start" mih={30}>
              <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {text}
              </Text>
              <Button
                size="compact-sm"
                variant={isChosen ? 'filled' : 'default'}
                miw="max-content"
                aria-label={t('labelled', { label: buttonLabel, text: labelOf(name) })}
                aria-pressed={isChosen}
                onClick={() => form.setFieldValue(name, value)}
              >
                {buttonLabel}
              </Button>
            </Group>
          );
          const storedText = field?.storedText?.(record) ?? textOf(field, storedValue);
          return (
            <div key={name}>
              <Text size="sm" fw={600}>
                {labelOf(name)}
              </Text>
              {renderLine(
                t('edit.now', { value: storedText }),
                t('edit.useNow'),
                storedValue,
                isStoredValueChosen,
              )}
              {renderLine(
                t('edit.mine', { value: textOf(field, enteredValue) }),
                t('edit.useMine'),
                enteredValue,
                !isStoredValueChosen,
              )}
            </div>
          );
        })}
      </Stack>
    </Alert>
  );
}
