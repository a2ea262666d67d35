'use client';

import { Anchor, Badge, Group, Skeleton, Text, Title } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import type { ListLinks } from './list-links';
import styles from './overview.module.css';

interface Props {
  listings: RouterOutputs['overview']['read']['listings'] | undefined;
  currency: string | null;
  links: ListLinks;
}

/** The listings with the highest profit after advertising, and those that lose the most. */
export function Listings({ listings, currency, links }: Props) {
  const t = useTranslations('overview');
  const figureFormatter = useFigureFormatter();
  const allListingsHref = links.statistics('/listings', { sort: '-profit' });
  const currencyGroup = listings?.find((group) => group.currency === currency);
  return (
    <section aria-labelledby="listings" className={styles.card}>
      <Group gap="sm" mih={36} justify="space-between">
        <Title order={3} id="listings">
          {currency ? t('figures.in', { label: t('listings.title'), currency }) : t('listings.title')}
        </Title>
        {currencyGroup && allListingsHref && (
          <Anchor component={Link} prefetch={false} href={allListingsHref} className="tap-line">
            {t('listings.all', { count: currencyGroup.listings })}
          </Anchor>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {t('source.report')}
        {currencyGroup &&
          currencyGroup.losing > 0 &&
          ` · ${t('listings.losing', { count: currencyGroup.losing })}`}
      </Text>
      {!listings ? (
        <Skeleton height={160} radius="sm" mt={8} />
      ) : !currencyGroup ? (
        <Text c="dimmed" mt={8}>
          {t('listings.none')}
        </Text>
      ) : (
        <ul className={styles.rows}>
          {currencyGroup.shown.map(({ listing_id: id, title, profit, roas }) => (
            <li key={id} className={styles.listing}>
              <ListingTitle
                href={links.statistics(`/listings/${id}`)}
                title={title ?? t('listings.untitled', { id: String(id) })}
              />
              <small>ROAS {figureFormatter.figure('ratio', roas)}</small>
              <span className={`figures ${styles.profit}`} data-loss={Number(profit) < 0 || undefined}>
                {figureFormatter.money(profit, currency)}
                {Number(profit) < 0 && (
                  <Badge color="red" size="sm">
                    {t('listings.loses')}
                  </Badge>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ListingTitle({ href, title }: { href: string | undefined; title: string }) {
  if (!href) return <span>{title}</span>;
  return (
    <Link href={href} prefetch={false}>
      {title}
    </Link>
  );
}
