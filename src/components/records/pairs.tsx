'use client';

import { Text } from '@mantine/core';
import { Facts } from '../ui/page/detail-page';

/**
 * Names with their values, such as headers, in the order received.
 *
 * @param emptyText what is shown if there are none
 */
export function Pairs({ pairs, emptyText }: { pairs: readonly [string, string][]; emptyText: string }) {
  if (pairs.length === 0) return <Text c="dimmed">{emptyText}</Text>;
  return (
    <Facts
      facts={pairs.map(([name, value], index) => ({
        // A name may occur several times.
        key: `${index} ${name}`,
        label: name,
        value: <span className="mono">{value}</span>,
      }))}
    />
  );
}
