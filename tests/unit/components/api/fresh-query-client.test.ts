import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { FreshQueryClient } from '../../../../src/components/api/fresh-query-client';

const LIST = ['list'];
const client = new FreshQueryClient();
afterEach(() => client.clear());

/** Observes a list whose requests finish when the test resolves them. */
function observeList() {
  const loads: ((data: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: LIST,
    queryFn: () => new Promise<string>((resolve) => loads.push(resolve)),
    retry: false,
  });
  const errors: unknown[] = [];
  const end = observer.subscribe(({ error }) => error && errors.push(error));
  return { loads, errors, end, data: () => client.getQueryData(LIST) };
}

it('a list that is still loading for the first time when something changes is loaded again', async () => {
  const { loads, errors, end, data } = observeList();
  expect(loads).toHaveLength(1);
  const reloaded = client.invalidateQueries({ queryKey: LIST });
  expect(loads).toHaveLength(2);
  loads[0]!('before');
  loads[1]!('after');
  await reloaded;
  await vi.waitFor(() => expect(data()).toBe('after'));
  expect(errors).toEqual([]);
  end();
});

it('a list that is being reloaded when something changes is loaded once more, as TanStack Query does', async () => {
  const { loads, errors, end, data } = observeList();
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
  end();
});

it('a query that no page shows is not loaded again', async () => {
  const { loads, end, data } = observeList();
  end();
  await client.invalidateQueries({ queryKey: LIST });
  expect(loads).toHaveLength(1);
  loads[0]!('only');
  await vi.waitFor(() => expect(data()).toBe('only'));
});
