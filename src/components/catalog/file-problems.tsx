'use client';

import { Alert, List, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useFailureText } from '../api/failure-text';
import { failureOf } from '../api/service-error';
import { useReasonText } from '../ui/feedback/reason-text';

/** The problems in a file, by line and column. */
export function FileProblems({ error }: { error: unknown }) {
  const t = useTranslations('catalog');
  const reasonText = useReasonText();
  const failure = failureOf(error);
  const { title, message } = useFailureText()(failure);
  const { problems } = failure;
  return (
    <Alert role="alert" color="red" variant="light" c="var(--mantine-color-text)" title={title}>
      {problems.length === 0 ? (
        message
      ) : (
        <>
          <Text mb="sm">{t('import.refused')}</Text>
          <List spacing="xs">
            {problems.map((problem) => {
              const [, line, column] = problem.path.split('.');
              const text = reasonText(problem);
              return (
                <List.Item key={problem.path + problem.reason}>
                  {line === undefined ? text : t('import.at', { line, column: column ?? '', problem: text })}
                </List.Item>
              );
            })}
          </List>
        </>
      )}
    </Alert>
  );
}
