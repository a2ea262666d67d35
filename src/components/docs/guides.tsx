import type { ReactNode } from 'react';
import { ErrorsGuide } from './guide-errors';
import { FirstCallGuide } from './guide-first-call';
import { ImportingOrdersGuide } from './guide-importing';
import { KeysGuide } from './guide-keys';
import { GUIDES, type GuideSlug } from './guide-list';
import { StatisticsGuide } from './guide-statistics';
import { TrackingCallbacksGuide } from './guide-tracking';

const GUIDE_BODIES: Record<GuideSlug, (props: { origin: string }) => ReactNode> = {
  'first-call': FirstCallGuide,
  'importing-orders': ImportingOrdersGuide,
  'tracking-callbacks': TrackingCallbacksGuide,
  statistics: StatisticsGuide,
  errors: ErrorsGuide,
  keys: KeysGuide,
};

/** Finds a guide by the last part of its path; undefined if there is none. */
export function findGuide(slug: string) {
  return GUIDES.find((guide) => guide.slug === slug);
}

/** A guide with a link to the next one or, after the last guide, to the API reference. */
export function Guide({ slug, origin }: { slug: GuideSlug; origin: string }) {
  const index = GUIDES.findIndex((guide) => guide.slug === slug);
  const Body = GUIDE_BODIES[slug];
  const nextGuide = GUIDES[index + 1];
  return (
    <article className="docs-text">
      <h1>{GUIDES[index]?.title}</h1>
      <Body origin={origin} />
      <p className="docs-next">
        Next:{' '}
        {nextGuide ? (
          <a href={`/docs/api/guides/${nextGuide.slug}`}>{nextGuide.title}</a>
        ) : (
          <a href="/docs/api/reference">API reference</a>
        )}
      </p>
    </article>
  );
}
