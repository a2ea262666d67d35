import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { FreshQueryClient } from '../../../../src/components/api/fresh-query-client';

const LIST = ['list'];
const client = new FreshQueryClient();
afterEach(() => client.clear());

/** Observes a list. The test finishes each of its loads. */
function observeList() {
  const loads: ((data: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: LIST,
    queryFn: () => new Promise<string>((resolve) => loads.push(resolve)),
    retry: false,
  });
  const errors: unknown[] = [];
  const unsubscribe = observer.subscribe(({ error }) => error && errors.push(error));
  return { loads, errors, unsubscribe, data: () => client.getQueryData(LIST) };
}

it('a list that is invalidated during its first load is loaded again', async () => {
  const { loads, errors, unsubscribe, data } = observeList();
  expect(loads).toHaveLength(1);
  const reloaded = client.invalidateQueries({ queryKey: LIST });
  expect(loads).toHaveLength(2);
  loads[0]!('before');
  loads[1]!('after');
  await reloaded;
  await vi.waitFor(() => expect(data()).toBe('after'));
  expect(errors).toEqual([]);
  unsubscribe();
});

it('a list that is invalidated during a reload is loaded once more, as with TanStack Query', async () => {
  const { loads, errors, unsubscribe, data } = observeList();
  loads[0]!('first');
  await vi.waitFor(() => expect(data()).toBe('first'));
  void client.invalidateQueries({ queryKey: LIST });
  const reloaded = client.invalidateQueries({ queryKey: LIST });
  expect(loads).toHaveLength(3);
  loads[1]!('before');
  loads[2]!('after');
  await reloaded;
  expect(data()).toBe('after');
  expect(errors).toEqual([]);
  unsubscribe();
});

it('an inactive query is not loaded again', async () => {
  const { loads, unsubscribe, data } = observeList();
  unsubscribe();
  await client.invalidateQueries({ queryKey: LIST });
  expect(loads).toHaveLength(1);
  loads[0]!('only');
  await vi.waitFor(() => expect(data()).toBe('only'));
});
