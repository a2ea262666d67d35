import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import autocannon from 'autocannon';
import { type Figure, shown } from './report';
import { makeRows } from './rows';
import { endChild, type Service, type Undo } from './service';
import { median } from './statistics';

const CONNECTIONS = 32;
const SECONDS = 3;
const ROUNDS = 3;
const PATH = '/api/orders/import';

interface Kind {
  name: string;
  status: number;
  options: Pick<Parameters<typeof autocannon>[0], 'headers' | 'body' | 'requests'>;
}

async function startBareServer(service: Service, undo: Undo): Promise<number> {
  const file = path.join(import.meta.dirname, 'bare-server.ts');
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: service.databaseUrl },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  undo.push(() => endChild(child));
  const gone = once(child, 'exit').then(() => {
    throw new Error('The bare server did not start.');
  });
  const [message] = await Promise.race([once(child, 'message'), gone]);
  gone.catch(() => undefined);
  return (message as { port: number }).port;
}

/** Requests a second; an answer that is not the expected one makes the figure worthless, and fails. */
async function fire(port: number, { name, status, options }: Kind): Promise<number> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${PATH}`,
    method: 'POST',
    connections: CONNECTIONS,
    duration: SECONDS,
    ...options,
  });
  const statuses = Object.keys(result.statusCodeStats).join();
  if (result.errors > 0 || result.timeouts > 0 || statuses !== String(status)) {
    throw new Error(`${name}: answered ${statuses}, ${result.errors} errors, ${result.timeouts} timeouts`);
  }
  return result.requests.total / result.duration;
}

function kinds(service: Service, account: number): Kind[] {
  const headers = { 'X-Api-Key': service.key, 'Content-Type': 'application/json' };
  const row = makeRows(1, 900)[0]!;
  let receipt = 0;
  const fresh = () =>
    JSON.stringify({ account_id: account, rows: [{ ...row, receipt_id: `F${++receipt}` }] });
  return [
    { name: 'Requests without a key (401)', status: 401, options: { headers: {}, body: '' } },
    {
      name: 'Imports of one row, always the same',
      status: 200,
      options: { headers, body: JSON.stringify({ account_id: account, rows: [row] }) },
    },
    {
      name: 'Imports of one row, always another',
      status: 200,
      options: { headers, requests: [{ setupRequest: (request) => ({ ...request, body: fresh() }) }] },
    },
  ];
}

/** Requests a second against plain Node with the same statements: the price of checks, logs and layers. No limits. */
export async function measureRequests(service: Service, undo: Undo): Promise<Figure[]> {
  const barePort = await startBareServer(service, undo);
  const account = await service.newAccount();
  const figures: Figure[] = [];
  for (const kind of kinds(service, account)) {
    const bare: number[] = [];
    const ours: number[] = [];
    await service.settle();
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await fire(barePort, kind));
      ours.push(await fire(service.port, kind));
    }
    const [bareRate, rate] = [median(bare), median(ours)];
    figures.push(
      { name: kind.name, value: rate, unit: '/s', note: shown(ours) },
      { name: `${kind.name}, bare`, value: bareRate, unit: '/s', note: shown(bare) },
      { name: `${kind.name}: bare against ours`, value: bareRate / rate, unit: 'x' },
    );
  }
  return figures;
}
