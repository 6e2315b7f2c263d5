// The property of cache-keys.test.ts on a million pairs, or as many as are asked for:
//   node --import tsx test/robustness/attacks/access/run-cache-keys.ts [pairs] [seed]
import { checkCacheKeys } from './cache-keys.ts';

const pairs = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const different = await checkCacheKeys(pairs, seed);
process.stdout.write(`${pairs} pairs of seed ${seed}, ${different} of them different questions: no two share a key\n`);
