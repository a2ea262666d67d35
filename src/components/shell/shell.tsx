'use client';

import { ActionIcon, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useRef, useState } from 'react';
import { onDemand } from '../api/on-demand';
import { BrandMark } from '../ui/brand/mark';
import { useDialogEverOpened } from '../ui/floating/use-opened-after-mount';
import { holdKeys } from '../ui/keyboard/held-keys';
import { useShortcuts } from '../ui/keyboard/use-shortcuts';
import { useBackOffice } from './back-office';
import { useCheckedDownloads } from './checked-downloads';
import { ConnectionBanner } from './connection-banner';
import { ColorSchemeMenu } from './menus/color-scheme-menu';
import { LanguageMenu } from './menus/language-menu';
import { UserMenu } from './menus/user-menu';
import { NavigationProgress } from './navigation/navigation-progress';
import { useRouteFocus } from './navigation/route-focus';
import { SideNavigation } from './navigation/side-navigation';
import styles from './shell.module.css';

const CommandPalette = onDemand(() => import('./command-palette').then((module) => module.CommandPalette));

const ShortcutsDialog = onDemand(() => import('./shortcuts-dialog').then((module) => module.ShortcutsDialog));

/** Does what a click on the form's submit button would do. Returns false if the key was not pressed in a field of a form. */
function clickSubmitButton({ target }: KeyboardEvent): boolean {
  const field = (target as Element).closest<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
  const button = field?.form?.querySelector<HTMLElement>('[type=submit]');
  button?.click();
  return Boolean(button);
}

/**
 * The frame of the pages for signed-in users: a header, and the navigation on the left, or behind a button on phones. The layout
 * has its own style sheet, because Mantine's layout needs script that every page would have to load.
 */
export function Shell({ children }: { children: ReactNode }) {
  const t = useTranslations('shell');
  const { prefix, user } = useBackOffice();
  useRouteFocus();
  useCheckedDownloads();
  const [isNavigationOpen, { toggle: toggleNavigation, close: closeNavigation }] = useDisclosure();
  const burger = useRef<HTMLButtonElement>(null);
  const [paletteOpenCount, setPaletteOpenCount] = useState(0);
  const openPalette = () => {
    holdKeys();
    setPaletteOpenCount((count) => count + 1);
  };
  const [isHelpOpen, { open: openHelp, close: closeHelp }] = useDisclosure();
  const wasHelpOpened = useDialogEverOpened(isHelpOpen);
  useShortcuts({ '?': openHelp, 'mod+k': openPalette, 'mod+enter': clickSubmitButton }, 'main a');
  return (
    <div>
      <header className={styles.header}>
        <a className={styles.skip} href="#content">
          {t('skip')}
        </a>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            ref={burger}
            className={styles.burger}
            opened={isNavigationOpen}
            onClick={toggleNavigation}
            hiddenFrom="sm"
            size="sm"
            aria-label={isNavigationOpen ? t('closeNavigation') : t('openNavigation')}
            aria-expanded={isNavigationOpen}
          />
          <Link className={`${styles.name} ${styles.phone}`} href={prefix} prefetch={false}>
            <BrandMark /> Brickdesk
          </Link>
          <button type="button" className={styles.search} onClick={openPalette}>
            <IconSearch size={16} stroke={1.75} aria-hidden />
            <span>{t('palette.open')}</span>
            <kbd>Ctrl K</kbd>
          </button>
          <Group className={styles.tools} gap={4} ml="auto" wrap="nowrap">
            <ActionIcon
              hiddenFrom="sm"
              variant="subtle"
              color="gray"
              c="var(--mantine-color-text)"
              size={32}
              onClick={openPalette}
              aria-label={t('palette.open')}
            >
              <IconSearch size={18} stroke={1.75} />
            </ActionIcon>
            <LanguageMenu email={user.email} />
            <ColorSchemeMenu />
            <UserMenu />
          </Group>
        </Group>
      </header>
      <nav
        aria-label={t('navigation')}
        className={styles.navigation}
        data-opened={isNavigationOpen || undefined}
      >
        <SideNavigation
          onNavigate={closeNavigation}
          onHelp={() => {
            closeNavigation();
            // On phones, the navigation disappears with the focused button. On larger screens, the burger is hidden and takes no
            // focus.
            burger.current?.focus();
            openHelp();
          }}
        />
      </nav>
      <main id="content" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <ConnectionBanner />
      <NavigationProgress />
      {paletteOpenCount > 0 && <CommandPalette openCount={paletteOpenCount} />}
      {wasHelpOpened && <ShortcutsDialog opened={isHelpOpen} onClose={closeHelp} />}
    </div>
  );
}
