/** Returns the direction of a relative change as pages show it: one that is rounded to 0.0% is no change. */
export function directionOf(change: number): 'up' | 'down' | 'same' {
  if (Math.round(Math.abs(change) * 1000) === 0) return 'same';
  return change > 0 ? 'up' : 'down';
}
