import type { Metadata } from 'next';
import text from '../../../../../../CHANGELOG.md' with { type: 'text' };
import { ChangeLog } from '../../../../../components/docs/change-log';

export const metadata: Metadata = { title: 'Change log - Brickdesk' };
export const dynamic = 'force-dynamic';

export default function ChangeLogPage() {
  return <ChangeLog text={text} />;
}
