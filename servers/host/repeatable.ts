import { parseArgs } from 'node:util';
import { seedDraws } from '#shared/apimachinery/chance/draw.ts';
import { fixObjectClock } from '#shared/apimachinery/chance/object-clock.ts';
import type { HostedCluster } from './hosted-cluster.ts';
import { raisedKey } from './kept-prefixes.ts';

/** Larger than what servers and controllers write at a start. */
const firstRevision = 10_000;

/**
 * Flags by which a server writes nothing from time to time: its address, its Lease, the mark of its compactions. Each
 * of these writes would change the resource versions after it.
 */
const quietFlags = [
  '--endpoint-reconciler-type=none',
  '--etcd-compaction-interval=0',
  '--feature-gates=APIServerIdentity=false,UnknownVersionInteroperabilityProxy=false',
];

/** What makes the clusters of a process repeatable, from the command line of the host: `--seed`, `--now`. */
export interface Repeatable {
  /** The flags of a cluster. */
  flagsOf(given: readonly string[]): readonly string[];
  /** Waits until the servers have written what they write at a start, and gives the cluster a revision of its own. */
  begin(cluster: HostedCluster): Promise<void>;
}

/** Draws and times of this process are repeatable from now on if the command line says so; else undefined. */
export function makeRepeatable(argv: readonly string[]): Repeatable | undefined {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: { seed: { type: 'string' }, now: { type: 'string' } },
  });
  if (typeof values.seed === 'string') seedDraws(values.seed);
  if (typeof values.now === 'string') fixObjectClock(Date.parse(values.now));
  if (values.seed === undefined && values.now === undefined) return undefined;
  return {
    flagsOf: (given) => [...quietFlags, ...given],
    async begin(cluster) {
      await cluster.controllers.settled();
      await cluster.followed();
      await cluster.store.raiseTo(firstRevision, raisedKey);
    },
  };
}
