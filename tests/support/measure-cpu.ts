/**
 * Returns the CPU time that this process spends on some work, in milliseconds: the smaller of two measurements, because garbage
 * collection of what earlier tests left may add to one. Other processes and pauses are not counted.
 */
export function measureCpuMs(work: () => void): number {
  const measureOnce = () => {
    const startUsage = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(startUsage);
    return (user + system) / 1000;
  };
  return Math.min(measureOnce(), measureOnce());
}
