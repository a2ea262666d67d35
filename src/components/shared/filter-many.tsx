'use client';

import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ListAddress } from './list-address';

/** The values of a filter that takes several, as the address has them: with commas between. */
export const valuesOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

interface Props<F extends string> {
  address: ListAddress<F>;
  name: F;
  label: string;
  options: readonly { value: string; label: string }[];
}

/** Any number of several values; none is all of them. */
export function FilterMany<F extends string>({ address, name, label, options }: Props<F>) {
  const t = useTranslations('common');
  const chosen = valuesOf(address.filters[name]);
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
    address.setFilters({ [name]: next.join(',') } as Record<F, string>);
  };
  const only = chosen.length === 1 ? options.find(({ value }) => value === chosen[0])?.label : undefined;
  const text =
    chosen.length === 0
      ? t('list.any', { name: label })
      : t('list.several', { name: label, count: chosen.length });
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          px="sm"
          styles={{ label: { fontWeight: 400 } }}
          rightSection={<IconChevronDown size={16} stroke={1.75} aria-hidden />}
          aria-label={only ? `${label}: ${only}` : text}
        >
          {only ?? text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={320} type="auto">
          <Stack gap="sm" role="group" aria-label={label}>
            {options.map((option) => (
              <Checkbox
                key={option.value}
                label={option.label}
                checked={chosen.includes(option.value)}
                onChange={() => toggle(option.value)}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
