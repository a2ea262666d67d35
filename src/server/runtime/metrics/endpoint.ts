import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { Log } from '../../core/log';
import { listenError } from '../../http/server/listening';

interface EndpointOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  registry: Registry;
  /** Reads the current state into the registry. */
  refresh: () => Promise<void>;
  log: Log;
}

/** The running endpoint. */
export interface MetricsEndpoint {
  port: number;
  stop(): Promise<void>;
}

/**
 * Serves the metrics at `/metrics` in Prometheus's text format, on a separate port, so that clients of the service cannot read
 * them. Adds the process's metrics (memory, CPU, event-loop delay).
 *
 * @throws Error naming METRICS_PORT or METRICS_HOST if the address cannot be used
 */
export async function startMetricsEndpoint(options: EndpointOptions): Promise<MetricsEndpoint> {
  const { host, port, registry, refresh, log } = options;
  collectDefaultMetrics({ register: registry });
  const server = createServer(async (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    const path = req.url?.split('?', 1)[0];
    if (path !== '/metrics') return void res.writeHead(404).end('The metrics are at /metrics.\n');
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return void res.writeHead(405, { Allow: 'GET, HEAD' }).end('Use GET or HEAD.\n');
    try {
      await refresh();
      const text = await registry.metrics();
      res.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    } catch (error) {
      // An unhandled rejection would end the service.
      log.error({ err: error }, 'the metrics could not be read');
      res.writeHead(500).end('The metrics could not be read; the log of the service says why.\n');
    }
  });
  const listeningPromise = once(server, 'listening');
  server.listen(port, host);
  await listeningPromise.catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { host, port }, { prefix: 'METRICS_', otherPort: 9465 });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closePromise = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closePromise;
    },
  };
}
