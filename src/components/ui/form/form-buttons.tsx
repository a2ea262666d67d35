'use client';

import { Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Unsaved } from './unsaved';

interface Props {
  of: { isUnsaved: boolean; busy: boolean; isGone: boolean; discard: () => void };
  /** The verb of the button that submits the form. */
  action: string;
  disabled?: boolean;
  onClose: () => void;
}

/** The end of a form in a drawer or dialog: whether something is unsaved, Cancel, which discards it, and the form's own button. */
export function FormButtons({ of: state, action, disabled = false, onClose }: Props) {
  const t = useTranslations('common');
  return (
    <Group justify="flex-end" gap="sm">
      <Unsaved of={state} />
      <Button
        variant="default"
        onClick={() => {
          state.discard();
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
