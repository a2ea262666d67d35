import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { FreshQueryClient } from '../../../../src/components/api/fresh-query-client';

const LIST_KEY = ['list'];
const client = new FreshQueryClient();
afterEach(() => client.clear());

/** Observes a list. Each load of the list adds a function to `finishLoads`, with which the test finishes that load. */
function observeList() {
  const finishLoads: ((data: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: LIST_KEY,
    queryFn: () => new Promise<string>((resolve) => finishLoads.push(resolve)),
    retry: false,
  });
  const errors: unknown[] = [];
  const unsubscribe = observer.subscribe(({ error }) => error && errors.push(error));
  return { finishLoads, errors, unsubscribe, data: () => client.getQueryData(LIST_KEY) };
}

/** Waits until the list has this data. */
const waitForData = (expectedData: string) =>
  new Promise<void>((resolve) => {
    const resolveIfLoaded = () => {
      if (client.getQueryData(LIST_KEY) !== expectedData) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = client.getQueryCache().subscribe(resolveIfLoaded);
    resolveIfLoaded();
  });

it('a list that is invalidated during its first load is loaded again', async () => {
  const { finishLoads, errors, unsubscribe } = observeList();
  expect(finishLoads).toHaveLength(1);
  const reloadPromise = client.invalidateQueries({ queryKey: LIST_KEY });
  expect(finishLoads).toHaveLength(2);
  finishLoads[0]!('before');
  finishLoads[1]!('after');
  await reloadPromise;
  await waitForData('after');
  expect(errors).toEqual([]);
  unsubscribe();
});

it('a list that is invalidated during a reload is loaded once more, as with TanStack Query', async () => {
  const { finishLoads, errors, unsubscribe, data } = observeList();
  finishLoads[0]!('first');
  await waitForData('first');
  void client.invalidateQueries({ queryKey: LIST_KEY });
  const reloadPromise = client.invalidateQueries({ queryKey: LIST_KEY });
  expect(finishLoads).toHaveLength(3);
  finishLoads[1]!('before');
  finishLoads[2]!('after');
  await reloadPromise;
  expect(data()).toBe('after');
  expect(errors).toEqual([]);
  unsubscribe();
});

it('an inactive query that is invalidated is not loaded again', async () => {
  const { finishLoads, unsubscribe } = observeList();
  unsubscribe();
  await client.invalidateQueries({ queryKey: LIST_KEY });
  expect(finishLoads).toHaveLength(1);
  finishLoads[0]!('only');
  await waitForData('only');
});
