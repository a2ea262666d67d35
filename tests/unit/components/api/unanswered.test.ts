import { expect, it } from 'vitest';
import { STORES_NOTHING } from '../../../../src/components/api/confirm-link';
import { appRouter } from '../../../../src/server/api/router';

it('only these changes are taken to store nothing, so that trying again is safe if their response is lost', () => {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const paths = Object.entries(procedures).flatMap(([path, { _def }]) =>
    _def.type === 'mutation' ? [path] : [],
  );
  expect(paths.filter((path) => STORES_NOTHING.test(path)).sort()).toEqual([
    'account.confirm',
    'catalog.previewImport',
    'catalog.readFile',
    'notifications.own.test',
    'notifications.team.test',
    'prompts.try',
    'replyDrafts.translateMessage',
    'replyDrafts.translateReply',
    'settings.checkUpstreams',
    'statistics.previewDays',
    'statistics.readFile',
    'trackingPaste.readFile',
  ]);
});
