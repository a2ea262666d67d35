import type { ReactNode } from 'react';
import { Errors } from './guide-errors';
import { FirstCall } from './guide-first-call';
import { ImportingOrders } from './guide-importing';
import { Keys } from './guide-keys';
import { GUIDES, type GuideSlug } from './guide-list';
import { Statistics } from './guide-statistics';
import { TrackingCallbacks } from './guide-tracking';

const BODIES: Record<GuideSlug, (props: { origin: string }) => ReactNode> = {
  'first-call': FirstCall,
  'importing-orders': ImportingOrders,
  'tracking-callbacks': TrackingCallbacks,
  statistics: Statistics,
  errors: Errors,
  keys: Keys,
};

/** Finds a guide by the last part of its path; undefined if there is none. */
export function findGuide(slug: string) {
  return GUIDES.find((guide) => guide.slug === slug);
}

/** A guide with a link to the next one. */
export function Guide({ slug, origin }: { slug: GuideSlug; origin: string }) {
  const index = GUIDES.findIndex((guide) => guide.slug === slug);
  const Body = BODIES[slug];
  const next = GUIDES[index + 1];
  return (
    <article className="docs-text">
      <h1>{GUIDES[index]?.title}</h1>
      <Body origin={origin} />
      <p className="docs-next">
        Next:{' '}
        {next ? (
          <a href={`/docs/api/guides/${next.slug}`}>{next.title}</a>
        ) : (
          <a href="/docs/api/reference">API reference</a>
        )}
      </p>
    </article>
  );
}
