import { createServer } from 'node:net';
import { EmbeddedDatabaseError } from './errors';

/** Returns `preferredPort` if it is free, otherwise a free one that the system chooses. */
export async function findFreePort(preferredPort: number): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.once('error', () => resolve(0));
    server.listen(preferredPort, '127.0.0.1', () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (port === 0 && preferredPort === 0) throw new EmbeddedDatabaseError('No TCP port of 127.0.0.1 is free.');
  return port === 0 ? await findFreePort(0) : port;
}
