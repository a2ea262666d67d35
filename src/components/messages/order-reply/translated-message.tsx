'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import styles from '../messages.module.css';
import type { useUnsentReply } from './unsent-reply';
import { WriteFailure } from './write-failure';

interface Props {
  order: { id: string; shop: string };
  replyState: ReturnType<typeof useUnsentReply>;
}

/** The buyer's text translated into the reader's language, or the button to translate it. */
export function TranslatedMessage({ order, replyState: { unsentReply, changeReply } }: Props) {
  const t = useTranslations('reply');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const locale = useLocale();
  const text = unsentReply.pasted.trim();
  const translate = useMutation(
    trpc.replyDrafts.translateMessage.mutationOptions({
      // Stores the text that was translated: the pasted text may have changed by now.
      onSuccess: (translation, { text: translatedText }) => {
        changeReply({ translation: { of: translatedText, text: translation.text } });
        return queryClient.invalidateQueries(trpc.replies.pathFilter());
      },
      ...SHOWS_OWN_ERROR,
    }),
  );
  if (text === '') return null;
  return (
    <Stack gap="sm" align="flex-start">
      {unsentReply.translation?.of === text ? (
        <section aria-label={t('translation')}>
          <Text fw={500}>{t('translation')}</Text>
          <Text className={styles.text} lang={LANGUAGE_TAGS[locale]}>
            {unsentReply.translation.text}
          </Text>
        </section>
      ) : (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={translate.isPending}
          onClick={() => translate.mutate({ order_id: order.id, text, language: locale })}
        >
          {t('translate')}
        </Button>
      )}
      {translate.error && !translate.isPending && <WriteFailure error={translate.error} shop={order.shop} />}
    </Stack>
  );
}
