import type { Metadata } from 'next';
import { ReferenceLoader } from '../../../../../components/docs/reference-loader';

export const metadata: Metadata = { title: 'API reference - Brickdesk' };
export const dynamic = 'force-dynamic';

export default function ReferencePage() {
  return <ReferenceLoader />;
}
