'use client';

import { Button, Stack, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
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
  /** Called before the options are shown, to load them if necessary. */
  onOpen?: () => void;
}

/** With more options than this, they can be searched. */
const MAX_AT_A_GLANCE = 12;

/** A choice of several values, or any; the URL lists them separated by commas. */
export function FilterChoice<F extends string>({ url, name, label, options, onOpen }: Props<F>) {
  const t = useTranslations('common');
  const [wanted, setWanted] = useState('');
  const inUrl = url.filters[name] ?? '';
  // The URL changes a moment later; a ticked box must not wait for it, nor be unticked by the URL of the box before.
  const [ticked, setTicked] = useState(inUrl);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another URL is a reason
  useEffect(() => {
    if (!url.isBehind()) setTicked(inUrl);
  }, [inUrl]);
  const chosen = valuesOf(ticked);
  const names = chosen.map((value) => options.find((option) => option.value === value)?.label ?? value);
  const searchable = options.length > MAX_AT_A_GLANCE;
  const found = options.filter((option) => option.label.toLowerCase().includes(wanted.trim().toLowerCase()));
  // Chosen values come first in a long list; otherwise they might be out of sight.
  const shown = searchable
    ? [...found].sort((a, b) => Number(chosen.includes(b.value)) - Number(chosen.includes(a.value)))
    : found;
  const set = (values: readonly string[]) => {
    setTicked(values.join(','));
    url.setFilters({ [name]: values.join(',') } as Record<F, string>);
  };
  const toggle = (value: string) =>
    set(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <PopoverButton
      position="bottom-start"
      label={label}
      button={<FilterButton label={label} value={names.join(', ')} />}
      onChange={(opened) => (opened ? onOpen?.() : setWanted(''))}
    >
      {() => (
        <Stack gap="sm">
          {searchable && (
            <TextInput
              aria-label={t('list.search', { name: label })}
              placeholder={t('list.search', { name: label })}
              value={wanted}
              onChange={({ currentTarget: { value } }) => setWanted(value)}
              data-autofocus
            />
          )}
          <div className={styles.options}>
            {shown.map((option) => (
              // The browser's own box: a list of all countries has 250, and Mantine's takes several components each.
              <label key={option.value} className={styles.option}>
                <input
                  type="checkbox"
                  checked={chosen.includes(option.value)}
                  onChange={() => toggle(option.value)}
                />
                {option.label}
              </label>
            ))}
          </div>
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={chosen.length === 0}
            onClick={() => set([])}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('list.clear', { name: label })}
          </Button>
        </Stack>
      )}
    </PopoverButton>
  );
}

/** The button of a filter: its name if any value will do, otherwise the chosen values. */
export function FilterButton({
  label,
  value,
  ...others
}: {
  label: string;
  value: string;
} & Omit<ComponentPropsWithRef<'button'>, 'value' | 'color' | 'style'>) {
  return (
    <Button
      {...others}
      variant="default"
      className={styles.button}
      justify="space-between"
      fw={value === '' ? 400 : 600}
      data-set={value !== '' || undefined}
      title={value === '' ? undefined : `${label}: ${value}`}
      rightSection={<IconChevronDown size={14} aria-hidden />}
    >
      {value === '' ? (
        label
      ) : (
        // Names of countries differ between the server's list and the browser's.
        <span suppressHydrationWarning>
          <span className="heard">{label}: </span>
          {value}
        </span>
      )}
    </Button>
  );
}
