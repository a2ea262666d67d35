import { describe, expect, it } from 'vitest';
import { type Draft, openDraftsOf } from '../../../../../src/components/messages/order-reply/open-drafts';

/** Returns a draft that was written at one time of a day and, if `sentAt` is given, sent at another. */
const createDraft = (id: string, writtenAt: string, sentAt?: string): Draft => ({
  id,
  kind: 'draft',
  created_at: `2026-11-26T${writtenAt}:00.000Z`,
  requested_by: 'ann@example.com',
  reply: `Draft ${id}`,
  warnings: [],
  model: 'model',
  usage: null,
  duration_ms: 1,
  sent: sentAt ? { text: `Draft ${id}`, at: `2026-11-26T${sentAt}:00.000Z`, by: 'ann@example.com' } : null,
});

const idsOf = (drafts: readonly Draft[]) => drafts.map(({ id }) => id);

describe('the open drafts of an order', () => {
  it('are all drafts, oldest first, as long as no reply was sent', () => {
    expect(idsOf(openDraftsOf([createDraft('2', '09:10'), createDraft('1', '09:00')], {}))).toEqual([
      '1',
      '2',
    ]);
    expect(openDraftsOf([], {})).toEqual([]);
  });

  it('are those written after the last reply was sent, whichever draft was sent', () => {
    const draftsWithFirstSent = [
      createDraft('3', '10:00'),
      createDraft('2', '09:10'),
      createDraft('1', '09:00', '09:30'),
    ];
    expect(idsOf(openDraftsOf(draftsWithFirstSent, {}))).toEqual(['3']);
    const draftsWithSecondSent = [
      createDraft('3', '10:00'),
      createDraft('2', '09:10', '09:30'),
      createDraft('1', '09:00'),
    ];
    expect(idsOf(openDraftsOf(draftsWithSecondSent, {}))).toEqual(['3']);
  });

  it('include every draft that the user has edited, even if a colleague has marked it as sent meanwhile', () => {
    const drafts = [createDraft('3', '09:20'), createDraft('2', '09:10'), createDraft('1', '09:00', '09:30')];
    expect(idsOf(openDraftsOf(drafts, { 1: 'Edited.', 2: 'Edited.' }))).toEqual(['1', '2']);
    // Sent as edited, for example by the user's own call whose response was lost.
    expect(idsOf(openDraftsOf(drafts, { 1: 'Draft 1 ', 2: 'Edited.' }))).toEqual(['2']);
  });
});
