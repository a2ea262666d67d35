'use client';

import { BrokenPage } from '../../../../components/shell/dead-end';

export default function BrokenShellPage({ retry }: { error: Error; retry: () => void }) {
  return <BrokenPage onRetry={retry} />;
}
