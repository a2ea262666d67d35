import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { fontClasses } from '../../components/theme/fonts';
import './globals.css';

export const metadata: Metadata = {
  title: 'Brickdesk',
  description: 'The back office of sellers on an online marketplace',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { colorScheme: 'light dark' };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={fontClasses}>
      <body>{children}</body>
    </html>
  );
}
