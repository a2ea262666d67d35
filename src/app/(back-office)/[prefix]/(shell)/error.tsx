'use client';

import { ErrorPage } from '../../../../components/shell/error-pages';

export default function BrokenShellPage({ retry }: { error: Error; retry: () => void }) {
  return <ErrorPage onRetry={retry} />;
}
