import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { DocsNav } from '../../../../components/docs/docs-nav';
import './docs.css';

export const metadata: Metadata = { title: 'API documentation - Brickdesk' };

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <div className="docs">
      <a className="docs-skip" href="#content">
        Skip to the content
      </a>
      <DocsNav />
      <main id="content">{children}</main>
    </div>
  );
}
