/** The part of autocannon that the bench uses; the package has no types. */
declare module 'autocannon' {
  interface SentRequest {
    body?: string | Buffer;
    path?: string;
    [member: string]: unknown;
  }
  interface Options {
    url: string;
    method?: 'GET' | 'POST';
    connections: number;
    /** In seconds. */
    duration: number;
    headers?: Record<string, string>;
    body?: string;
    requests?: { setupRequest(request: SentRequest): SentRequest }[];
  }
  interface Result {
    requests: { total: number; average: number };
    latency: { p50: number; p99: number };
    duration: number;
    errors: number;
    timeouts: number;
    statusCodeStats: Record<string, { count: number }>;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
