'use client';

import { ErrorPage } from '../../../../components/shell/dead-end';

export default function BrokenShellPage({ retry }: { error: Error; retry: () => void }) {
  return <ErrorPage onRetry={retry} />;
}
