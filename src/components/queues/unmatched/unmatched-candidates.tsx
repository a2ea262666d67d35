'use client';

import { Anchor, Button, Text } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { Instant } from '../../ui/value/time/instant';
import styles from '../queue.module.css';

type Candidate = RouterOutputs['queues']['unmatched']['candidates'][number];

interface Props {
  candidates: readonly Candidate[];
  busy: boolean;
  onLink: (candidate: Candidate) => void;
}

/** The orders that a tracking number may belong to, each with the reason. */
export function UnmatchedCandidates({ candidates, busy, onLink }: Props) {
  const t = useTranslations('queues');
  const { prefix } = useBackOffice();
  if (candidates.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('unmatched.noCandidate')}
      </Text>
    );
  return (
    <ul className={styles.candidates} aria-label={t('unmatched.candidates')}>
      {candidates.map((candidate) => {
        const {
          order_id: id,
          receipt_id: receiptId,
          tracking_number: similarNumber,
          sale_date: saleDate,
          mistyped: isMistyped,
        } = candidate;
        return (
          <li key={`${id} ${similarNumber}`}>
            <span>
              <Anchor
                component={Link}
                href={`${prefix}/orders/${id}`}
                prefetch={false}
                className="mono"
                inherit
              >
                {receiptId}
              </Anchor>{' '}
              {[candidate.name, candidate.shop].filter(Boolean).join(' · ')}
              <small>
                {similarNumber === null
                  ? saleDate &&
                    t.rich('unmatched.waiting', { when: () => <Instant value={saleDate} brief isSale /> })
                  : t.rich(isMistyped ? 'unmatched.mistyped' : 'unmatched.near', {
                      number: () => <span className="mono">{similarNumber}</span>,
                    })}
              </small>
            </span>
            <Button variant="default" size="compact-sm" disabled={busy} onClick={() => onLink(candidate)}>
              {t(isMistyped ? 'unmatched.correct' : 'unmatched.linkTo', { receipt: receiptId })}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
