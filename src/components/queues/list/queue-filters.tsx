'use client';

import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { ChoiceFilter } from '../../ui/list/filter/choice-filter';
import { FilterBar } from '../../ui/list/filter/filter-bar';
import { SelectFilter } from '../../ui/list/filter/list-filters';
import type { ListUrl } from '../../ui/list/list-url';
import type { QueueFilterName } from '../queries';
import styles from '../queue.module.css';
import { CAUSE_NAMES } from './cause-names';

type Url = ListUrl<QueueFilterName>;

/** The filters of a queue: assignee, state, and the shops of its orders. */
export function QueueFilters({ url, hasShops }: { url: Url; hasShops: boolean }) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const { data: shops = [] } = useQuery(trpc.shops.names.queryOptions());
  return (
    <FilterBar url={url} filtersShownElsewhere={['cause']}>
      <SelectFilter
        url={url}
        name="assigned"
        label={t('filters.assigned')}
        noneLabel={t('filters.anyone')}
        options={[
          { value: 'me', label: t('filters.me') },
          { value: 'nobody', label: t('filters.nobody') },
        ]}
      />
      <SelectFilter
        url={url}
        name="state"
        label={t('filters.state')}
        noneLabel={t('filters.open')}
        options={[
          { value: 'snoozed', label: t('filters.snoozed') },
          { value: 'handled', label: t('filters.handled') },
        ]}
      />
      {hasShops && shops.length > 1 && (
        <ChoiceFilter
          url={url}
          name="shop"
          label={t('filters.shop')}
          options={shops.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      )}
    </FilterBar>
  );
}

/** A button for all causes together and one for each cause, each with its number of entries. Hidden if there are no causes. */
export function CauseChips({ url, causes }: { url: Url; causes: RouterOutputs['queues']['list']['causes'] }) {
  const t = useTranslations('queues');
  const format = useFormatter();
  if (causes.length === 0) return null;
  const totalCount = causes.reduce((sum, { count }) => sum + count, 0);
  const chips = [
    { cause: undefined, name: t('all'), count: totalCount },
    ...causes.map(({ cause, count }) => ({ cause, name: t(CAUSE_NAMES[cause]), count })),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" className={styles.chips} aria-label={t('causesLabel')}>
      {chips.map(({ cause, name, count }) => (
        <button
          key={name}
          type="button"
          aria-pressed={url.filters.cause === cause}
          onClick={() => url.setFilters({ cause })}
        >
          {name} <span className="figures">{format.number(count)}</span>
        </button>
      ))}
    </div>
  );
}
