'use client';

import { Button } from '@mantine/core';
import { ConfirmAction } from '../form/confirm-action';
import type { RowAction } from '../list/table/row-menu';

/** An action on the subject of a page. Only the menu of a row offers files. */
export type PageAction = RowAction & { fileUrl?: never };

/** The actions for the subject of a page, as buttons. */
export function ActionButtons({ actions }: { actions: readonly (PageAction | false)[] }) {
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
