/** A worker whose task never ends, takes all memory, or returns at once. */
export default function run({ task }) {
  if (task === 'forever') for (;;);
  if (task === 'memory') {
    const kept = [];
    for (;;) kept.push(new Array(4_000_000).fill(kept.length));
  }
  return `done: ${task}`;
}
