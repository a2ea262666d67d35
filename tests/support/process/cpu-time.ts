/**
 * Returns the CPU time that some work takes, in milliseconds: the smallest of several measurements. Unlike elapsed time, it does not
 * count other processes. A single measurement can be too large, because it includes whatever else this process does meanwhile.
 */
export function leastCpuMs(work: () => void, measurementCount = 3): number {
  const times = Array.from({ length: measurementCount }, () => {
    const startUsage = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(startUsage);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
