import { describe, expect, it } from 'vitest';
import { EVENT, OCCURRED_AT, observationsOf, RECEIVED_AT, trackInfoOf } from '../../../support/track-info';

describe('the snapshot', () => {
  const withLatestStatus = (status: unknown, sub_status: unknown = null) => ({
    latest_status: { status, sub_status },
  });
  const snapshotOf = (trackInfo: unknown, receivedAt = RECEIVED_AT) =>
    observationsOf(trackInfo, receivedAt).find(({ kind }) => kind === 'snapshot');

  it('has the time of the newest event, and is the same at the next delivery', () => {
    const olderEvent = { ...EVENT, time_utc: '2026-11-01T00:00:00Z' };
    const trackInfo = trackInfoOf(
      [olderEvent, EVENT, { description: 'no time' }],
      withLatestStatus('InTransit', 'InTransit_Other'),
    );
    const snapshot = snapshotOf(trackInfo);
    expect(snapshot).toMatchObject({
      occurredAt: OCCURRED_AT,
      status: 'in_transit',
      subStatus: 'InTransit_Other',
    });
    expect(snapshotOf(trackInfo, RECEIVED_AT + 1)!.identity).toBe(snapshot!.identity);
  });

  it('without events has the time of receipt, and stays the same if 17TRACK asks the carrier again', () => {
    const reportOf = (status: string, latest_sync_time: string, days_of_transit: number) => ({
      ...withLatestStatus(status, status),
      time_metrics: { days_of_transit },
      tracking: { providers: [{ latest_sync_time, events: [] }] },
    });
    const earlierSnapshot = snapshotOf(reportOf('InfoReceived', '2026-11-20T08:00:00Z', 0))!;
    expect(earlierSnapshot).toMatchObject({ occurredAt: RECEIVED_AT, status: 'info_received' });
    const laterSnapshot = snapshotOf(
      reportOf('InfoReceived', '2026-11-21T08:00:00Z', 1),
      RECEIVED_AT + 60_000,
    )!;
    expect(laterSnapshot.identity).toBe(earlierSnapshot.identity);
    const expiredSnapshot = snapshotOf(reportOf('Expired', '2026-11-20T08:00:00Z', 0))!;
    expect(expiredSnapshot.identity).not.toBe(earlierSnapshot.identity);
  });

  it('has another identity for another status', () => {
    const identityOf = (status: string) =>
      snapshotOf(trackInfoOf([EVENT], withLatestStatus(status)))!.identity;
    expect(identityOf('InTransit')).not.toBe(identityOf('Delivered'));
    expect(identityOf('Beamed')).not.toBe(identityOf('Lifted'));
  });

  it.each([
    ['Beamed', 'Beamed_Up', null, null, 'Beamed'],
    [null, 'Delivered_Other', 'delivered', 'Delivered_Other', null],
    [7, 'Nothing_Known', null, null, '7'],
    ['InTransit', 'Delivered_Other', 'in_transit', null, 'Delivered_Other'],
    ['Delivered', null, 'delivered', null, null],
  ])(
    'of %j and %j has the status %j, the sub-status %j and the carrier’s status %j',
    (statusWord, subStatusWord, status, subStatus, providerStatus) => {
      expect(snapshotOf(withLatestStatus(statusWord, subStatusWord))).toMatchObject({
        status,
        subStatus,
        providerStatus,
      });
    },
  );

  it.each([
    {},
    { latest_status: null },
    { latest_status: 'x' },
    withLatestStatus(null),
    withLatestStatus('', ''),
  ])('is missing for %j', (trackInfo) => {
    expect(snapshotOf(trackInfo)).toBeUndefined();
  });
});
