// Loaded into the service with `node --import`: measures its event loop and memory from inside and reports them over IPC. The
// service does not know about the probe.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 5;
const MEMORY_INTERVAL_MS = 20;

if (isMainThread && process.send) {
  const delayHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let peakRssBytes = 0;
  const sampleRss = () => {
    peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
  };
  setInterval(sampleRss, MEMORY_INTERVAL_MS).unref();
  process.on('message', (message) => {
    if (message === 'begin') {
      delayHistogram.enable();
      delayHistogram.reset();
      peakRssBytes = 0;
    }
    sampleRss();
    // The longest interval between two ticks of a timer of RESOLUTION_MS, including RESOLUTION_MS itself.
    const pauseMs = delayHistogram.count > 0 ? delayHistogram.max / 1e6 : 0;
    process.send?.({
      pauseMs,
      p99Ms: delayHistogram.percentile(99) / 1e6,
      peakRssMb: peakRssBytes / 2 ** 20,
    });
  });
  process.channel?.unref();
}
