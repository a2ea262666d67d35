import { checkReply } from '../../../src/server/messages/claims/fact-check';
import { leastCpuMs } from './cpu-time';

// Prints the CPU time that this process takes for the check of each text, in milliseconds.
const PARTS = ['4165 ', '12/', '$'];

const times = PARTS.map((part) => {
  const text = part.repeat(60_000 / part.length);
  return leastCpuMs(() => checkReply(text, { facts: null, prompt: '', messages: [] }));
});
process.stdout.write(JSON.stringify(times));
