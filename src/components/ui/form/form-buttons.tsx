'use client';

import { Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { UnsavedNotice, type UnsavedState } from './unsaved-notice';

interface Props {
  state: UnsavedState & { busy: boolean; isGone: boolean };
  /** The label of the submit button: a verb. */
  action: string;
  disabled?: boolean;
  onClose: () => void;
}

/**
 * The bottom of a form: its buttons, and a notice if there are unsaved changes. Tab leads from the last field to the first of
 * `children`, which is on the right, and to the button that discards the changes last.
 */
export function FormFooter({ state, children }: { state: Props['state']; children: ReactNode }) {
  return (
    <Group w="100%" gap="sm" style={{ flexFlow: 'row-reverse wrap-reverse' }}>
      {children}
      <UnsavedNotice state={state} />
    </Group>
  );
}

/**
 * The bottom of a form in a drawer or dialog: a notice if there are unsaved changes, the submit button, and the Cancel button, which
 * discards them.
 */
export function FormButtons({ state, action, disabled = false, onClose }: Props) {
  const t = useTranslations('common');
  return (
    <FormFooter state={state}>
      <Button type="submit" loading={state.busy} disabled={state.isGone || disabled}>
        {action}
      </Button>
      <Button
        variant="default"
        onClick={() => {
          state.discardChanges();
          onClose();
        }}
      >
        {t('cancel')}
      </Button>
    </FormFooter>
  );
}
