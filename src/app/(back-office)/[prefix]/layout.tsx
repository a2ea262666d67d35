import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { getPageBridge } from '../../session';

/** The back office exists only under the configured prefix. */
export default async function PrefixLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ prefix: string }>;
}) {
  const { prefix } = await params;
  if (`/${prefix}` !== getPageBridge().adminPrefix) notFound();
  return children;
}
