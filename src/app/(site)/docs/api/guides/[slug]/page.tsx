import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findGuide, Guide } from '../../../../../../components/docs/guides';
import { readRequestOrigin } from '../../../../../request-origin';

interface Props {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const guide = findGuide((await params).slug);
  return guide ? { title: `${guide.title} - Brickdesk`, description: guide.summary } : {};
}

export default async function GuidePage({ params }: Props) {
  const guide = findGuide((await params).slug);
  if (!guide) notFound();
  return <Guide slug={guide.slug} origin={await readRequestOrigin()} />;
}
