'use client';

import { Button, Stack, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useFormatter, useTranslations } from 'next-intl';
import { type ComponentPropsWithRef, useEffect, useState } from 'react';
import { PopoverButton } from '../../floating/popover-button';
import { type ListUrl, valuesOf } from '../list-url';
import styles from './filter.module.css';

interface Option {
  value: string;
  label: string;
}

interface Props<F extends string> {
  url: ListUrl<F>;
  name: F;
  label: string;
  options: readonly Option[];
  /** Called when the options are opened, to load them if necessary. */
  onOpen?: () => void;
}

/** With more options than this, there is a search field. */
const MAX_OPTIONS_WITHOUT_SEARCH = 12;

/** A filter that accepts several values; the URL separates them with commas. */
export function ChoiceFilter<F extends string>({ url, name, label, options, onOpen }: Props<F>) {
  const t = useTranslations('common');
  const format = useFormatter();
  const [search, setSearch] = useState('');
  const urlValue = url.filters[name] ?? '';
  // Stored here because the URL changes with a delay: a box must be ticked immediately, and stay ticked when the URL of an earlier
  // click arrives.
  const [localValue, setLocalValue] = useState(urlValue);
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the URL changes
  useEffect(() => {
    if (!url.isBehind()) setLocalValue(urlValue);
  }, [urlValue]);
  const values = valuesOf(localValue);
  const chosenLabels = values.map(
    (value) => options.find((option) => option.value === value)?.label ?? value,
  );
  const isSearchable = options.length > MAX_OPTIONS_WITHOUT_SEARCH;
  const matchingOptions = options.filter((option) =>
    option.label.toLowerCase().includes(search.trim().toLowerCase()),
  );
  // In a long list, the chosen values come first, so that they are in sight.
  const visibleOptions = isSearchable
    ? [...matchingOptions].sort((a, b) => Number(values.includes(b.value)) - Number(values.includes(a.value)))
    : matchingOptions;
  const setValues = (newValues: readonly string[]) => {
    setLocalValue(newValues.join(','));
    url.setFilters({ [name]: newValues.join(',') } as Record<F, string>);
  };
  const toggleValue = (value: string) =>
    setValues(
      values.includes(value) ? values.filter((otherValue) => otherValue !== value) : [...values, value],
    );
  return (
    <PopoverButton
      position="bottom-start"
      label={label}
      button={<FilterButton label={label} valueText={format.list(chosenLabels, { style: 'narrow' })} />}
      onChange={(opened) => (opened ? onOpen?.() : setSearch(''))}
    >
      {() => (
        <Stack gap="sm">
          {isSearchable && (
            <TextInput
              aria-label={t('list.search', { name: label })}
              placeholder={t('list.search', { name: label })}
              value={search}
              onChange={({ currentTarget: { value } }) => setSearch(value)}
              data-autofocus
            />
          )}
          <div className={styles.options}>
            {visibleOptions.map((option) => (
              // Native checkboxes, because the list of countries has 250, and Mantine's need several components each.
              <label key={option.value} className={styles.option}>
                <input
                  type="checkbox"
                  checked={values.includes(option.value)}
                  onChange={() => toggleValue(option.value)}
                />
                {option.label}
              </label>
            ))}
          </div>
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={values.length === 0}
            onClick={() => setValues([])}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('list.clear', { name: label })}
          </Button>
        </Stack>
      )}
    </PopoverButton>
  );
}

/** The button of a filter: its name, or the chosen values if there are any. */
export function FilterButton({
  label,
  valueText,
  ...buttonProps
}: {
  label: string;
  /** The labels of the chosen values; empty if there are none. */
  valueText: string;
} & Omit<ComponentPropsWithRef<'button'>, 'value' | 'color' | 'style'>) {
  const t = useTranslations('common');
  return (
    <Button
      {...buttonProps}
      variant="default"
      className={styles.button}
      justify="space-between"
      fw={valueText === '' ? 400 : 600}
      data-set={valueText !== '' || undefined}
      title={valueText === '' ? undefined : t('labelled', { label, text: valueText })}
      rightSection={<IconChevronDown size={14} aria-hidden />}
    >
      {valueText === '' ? (
        label
      ) : (
        // The server and the browser may name a country differently.
        <span suppressHydrationWarning>
          <span className="visually-hidden">{t('labelled', { label, text: '' })}</span>
          {valueText}
        </span>
      )}
    </Button>
  );
}
