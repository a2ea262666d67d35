import type { Metadata, Viewport } from 'next';
import './(site)/globals.css';

export const metadata: Metadata = { title: 'There is no such page - Brickdesk' };
export const viewport: Viewport = { colorScheme: 'light dark' };
export const dynamic = 'force-dynamic';

export default function NotFound() {
  return (
    <html lang="en">
      <body>
        <main className="sheet">
          <h1>There is no such page</h1>
          <p className="lead" lang="zh-CN">
            没有这个页面。
          </p>
          <p>
            <a href="/">Back to the start</a>
          </p>
        </main>
      </body>
    </html>
  );
}
