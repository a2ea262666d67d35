/** A worker whose task never ends, uses up all memory, or returns immediately. */
export default function run({ task }) {
  if (task === 'forever') for (;;);
  if (task === 'memory') {
    const arrays = [];
    for (;;) arrays.push(new Array(4_000_000).fill(arrays.length));
  }
  return `done: ${task}`;
}
