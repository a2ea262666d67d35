'use client';

import { Button } from '@mantine/core';
import { ConfirmAction } from '../form/confirm-action';
import type { RowAction } from '../list/row-menu';

/** What can be done with the thing that a page is about: as buttons, where a list has it behind a menu. */
export function ActionButtons({ actions }: { actions: readonly (RowAction | false)[] }) {
  return actions
    .filter((action) => action !== false)
    .map(({ label, onClick, confirm }) =>
      confirm ? (
        <ConfirmAction key={label} title={label} action={label} {...confirm}>
          {(ask) => (
            <Button variant="default" onClick={ask}>
              {label}
            </Button>
          )}
        </ConfirmAction>
      ) : (
        <Button key={label} variant="default" onClick={onClick}>
          {label}
        </Button>
      ),
    );
}
