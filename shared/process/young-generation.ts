import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';

/** By how much V8 lets the part of the heap for new objects grow when many of them survive. */
const flag = '--semi-space-growth-factor';
const usual = process.execArgv.findLast((argument) => argument.startsWith(flag)) ?? `${flag}=2`;

const othersStartMs = 5_000;

/**
 * Keeps the part of the heap for new objects as small as it is. Most of what a start makes stays for good, so that V8
 * would let that part grow to its limit of 16 MiB, all of which a process keeps that has little to do then. V8 reads
 * the flag whenever it might grow.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString(`${flag}=1`);
}

/** Lets the part of the heap for new objects grow again as V8 finds it useful, as under load. */
export function letYoungGenerationGrow(): void {
  setFlagsFromString(usual);
}

/** The same for a process that is ready: while other processes go on to start, it keeps much of what they need. */
export function letYoungGenerationGrowSoon(): void {
  setTimeout(letYoungGenerationGrow, othersStartMs).unref();
}

/**
 * A `require` for a start with a small part for new objects: modules of Node.js are loaded under the usual flag, as V8
 * takes their code caches only under the flags with which Node.js was built.
 */
export function requireWithUsualGrowth(require: NodeJS.Require): NodeJS.Require {
  const usualTag = cachedDataVersionTag();
  const loaded = new Map<string, unknown>();
  const load = (id: string): unknown => {
    if (cachedDataVersionTag() === usualTag) return require(id) as unknown;
    letYoungGenerationGrow();
    try {
      return require(id) as unknown;
    } finally {
      keepYoungGenerationSmall();
    }
  };
  return Object.assign(
    (id: string): unknown => {
      if (!loaded.has(id)) loaded.set(id, load(id));
      return loaded.get(id);
    },
    { resolve: require.resolve, cache: require.cache, extensions: require.extensions, main: require.main },
  );
}
