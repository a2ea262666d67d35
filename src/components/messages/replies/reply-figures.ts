import { useTranslations } from 'next-intl';

/** Returns functions that format a reply's duration and its token counts, which are null if the provider does not report them. */
export function useReplyFigureFormatter() {
  const t = useTranslations('messages');
  return {
    duration: (ms: number) =>
      ms < 1000
        ? t('figures.milliseconds', { ms })
        : t('figures.seconds', { seconds: Math.round(ms / 100) / 10 }),
    tokens: (input: number | null, output: number | null) =>
      input === null || output === null ? t('figures.noTokens') : t('figures.tokens', { input, output }),
  };
}
