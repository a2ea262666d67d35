'use client';

import { Alert, List, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useFailureText } from '../api/failure-text';
import { failureOf } from '../api/service-error';
import { useReasonText } from '../ui/feedback/reason-text';

/** What is wrong with a file, by its lines and columns. */
export function FileProblems({ error }: { error: unknown }) {
  const t = useTranslations('catalog');
  const reasonText = useReasonText();
  const failure = failureOf(error);
  const { title, message } = useFailureText()(failure);
  const { problems } = failure;
  return (
    <Alert role="alert" color="red" variant="light" c="var(--mantine-color-text)" title={title}>
      {problems.length === 0 ? (
        reasonText(message)
      ) : (
        <>
          <Text mb="sm">{t('import.refused')}</Text>
          <List spacing="xs">
            {problems.map(({ path, message: said }) => {
              const [, line, column] = path.split('.');
              const problem = reasonText(said);
              return (
                <List.Item key={path + said}>
                  {line === undefined ? problem : t('import.at', { line, column: column ?? '', problem })}
                </List.Item>
              );
            })}
          </List>
        </>
      )}
    </Alert>
  );
}
