import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findArgumentsSpan } from '../../../src/server/mcp/arguments-span';
import { watchReads } from '../../support/watch-reads';

async function argumentsOf(json: string): Promise<unknown> {
  const bytes = Buffer.from(json);
  const span = await findArgumentsSpan(bytes);
  return span ? JSON.parse(bytes.subarray(span.start, span.end).toString()) : null;
}

it('the arguments of a call are found wherever they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (args, otherValue) => {
      const params = { a: otherValue, name: 'x', arguments: args, z: otherValue };
      for (const space of [undefined, 2])
        expect(
          await argumentsOf(
            JSON.stringify({ jsonrpc: '2.0', b: otherValue, params, y: otherValue }, null, space),
          ),
        ).toEqual(JSON.parse(JSON.stringify(args)));
    }),
  );
});

it('nothing else is mistaken for the arguments of a call, and repeated arguments are not found', async () => {
  for (const json of [
    '{"arguments":{"a":1}}',
    '{"params":[{"arguments":1}]}',
    '{"params":{"x":{"arguments":1}}}',
    '{"other":{"arguments":1},"params":{}}',
    '{"params":{"x":"\\"arguments\\":1"}}',
    '{"params":{"arguments":1,"arguments":2}}',
    '[{"params":{"arguments":1}}]',
  ])
    expect(await argumentsOf(json), json).toBeNull();
});

it('the search ends at a bracket too many, because what follows is not JSON', async () => {
  const { watchedBytes, countReads } = watchReads(Buffer.from(`{}${']:'.repeat(100_000)}`));
  expect(await findArgumentsSpan(watchedBytes)).toBeNull();
  expect(countReads()).toBe(3);
});

it('other work runs while the arguments of a large message are being found', async () => {
  let turnCount = 0;
  let isDone = false;
  const countTurn = () => {
    turnCount++;
    if (!isDone) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await argumentsOf(`{"params":{"arguments":[${'1,'.repeat(4 * 1024 * 1024)}1]}}`);
  isDone = true;
  expect(turnCount).toBeGreaterThan(4);
});
