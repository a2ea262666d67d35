'use client';

import { CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { type ListUrl, SEARCH_FILTERS } from '../list-url';

interface FilterProps<F extends string> {
  url: ListUrl<F>;
  name: F;
  label: string;
}

const DEBOUNCE_MS = 300;

/** A text search; applied when the user pauses typing. */
export function TextFilter<F extends string>({ url, name, label }: FilterProps<F>) {
  const t = useTranslations('common');
  const urlValue = url.filters[name] ?? '';
  const [text, setText] = useState(urlValue);
  const appliedText = useRef(urlValue);
  const field = useRef<HTMLInputElement>(null);
  const applyText = (value: string) => {
    appliedText.current = value.trim();
    url.setFilters({ [name]: appliedText.current } as Record<F, string>);
  };
  const applyTextLater = useDebouncedCallback(applyText, DEBOUNCE_MS);
  // Only a change from elsewhere, such as Back, replaces the text: the field's own search in the URL is trimmed, and the user may
  // have kept typing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the URL changes
  useEffect(() => {
    if (urlValue === appliedText.current) return;
    appliedText.current = urlValue;
    applyTextLater.cancel();
    setText(urlValue);
  }, [urlValue]);
  const clearText = () => {
    // A pending search must not bring back the text.
    applyTextLater.cancel();
    setText('');
    applyText('');
    // The button disappears with the text.
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      type="search"
      wrapperProps={{ 'data-search': SEARCH_FILTERS.includes(name) || undefined }}
      aria-label={label}
      placeholder={label}
      value={text}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
      rightSection={
        text ? <CloseButton size="sm" aria-label={t('list.clearText')} onClick={clearText} /> : null
      }
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        applyTextLater(value);
      }}
    />
  );
}

/** A filter that accepts one value. A native select, because it is small and works well on phones and with screen readers. */
export function SelectFilter<F extends string>({
  url,
  name,
  label,
  options,
  noneLabel,
}: FilterProps<F> & {
  options: { value: string; label: string }[];
  /** The label for no choice; "any" by default. */
  noneLabel?: string;
}) {
  const t = useTranslations('common');
  return (
    <NativeSelect
      aria-label={label}
      data={[{ value: '', label: noneLabel ?? t('list.any', { name: label }) }, ...options]}
      value={url.filters[name] ?? ''}
      onChange={({ currentTarget: { value } }) => url.setFilters({ [name]: value } as Record<F, string>)}
    />
  );
}

interface SearchAndStateProps {
  url: ListUrl<'search' | 'state'>;
  searchLabel: string;
  stateLabel: string;
  stateOptions: { value: string; label: string }[];
}

/** The filters of a list that is completely loaded: a text search and a state. */
export function SearchAndStateFilters({ url, searchLabel, stateLabel, stateOptions }: SearchAndStateProps) {
  return (
    <>
      <TextFilter url={url} name="search" label={searchLabel} />
      <SelectFilter url={url} name="state" label={stateLabel} options={stateOptions} />
    </>
  );
}
