'use client';

import { Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { UnsavedNotice } from './unsaved-notice';

interface Props {
  state: { isUnsaved: boolean; busy: boolean; isGone: boolean; discardChanges: () => void };
  /** The label of the submit button: a verb. */
  action: string;
  disabled?: boolean;
  onClose: () => void;
}

/**
 * The bottom of a form in a drawer or dialog: a notice if there are unsaved changes, the Cancel button, which discards them, and
 * the submit button.
 */
export function FormButtons({ state, action, disabled = false, onClose }: Props) {
  const t = useTranslations('common');
  return (
    <Group justify="flex-end" gap="sm">
      <UnsavedNotice state={state} />
      <Button
        variant="default"
        onClick={() => {
          state.discardChanges();
          onClose();
        }}
      >
        {t('cancel')}
      </Button>
      <Button type="submit" loading={state.busy} disabled={state.isGone || disabled}>
        {action}
      </Button>
    </Group>
  );
}
