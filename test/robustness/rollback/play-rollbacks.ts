import { dirname, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { startCluster } from '#servers/host/client/start-cluster.ts';
import { http1Client, type ApiClient } from '#test/api-client.ts';
import { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import { checkClaims, makeClaims } from './claims.ts';
import { ClientGoInformers } from './client-go-informers.ts';
import type { ListedState } from './listed-object.ts';
import { listState, settledState, stateDifferences } from './listed-state.ts';
import { standingDefinition, writeAtRandom } from './random-writes.ts';
import { WatchedKinds } from './watched-kinds.ts';
import { writeThrough } from './write-through.ts';

export interface PlayOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Whether writers go on during rollbacks. */
  readonly hasWriters: boolean;
  /** The program of client-go that runs informers; default: those of client-node alone. */
  readonly clientGo?: string | undefined;
  readonly say?: (line: string) => void;
}

const guestName = 'guest';
const guestToken = 'guest-token';

/** Plays rounds of random writes and rollbacks. @throws Error that names the round and what differs */
export async function playRollbacks(
  { rounds, seed, hasWriters, clientGo, say }: PlayOptions,
  tokenFile: string,
): Promise<void> {
  const random = new SeededRandom(seed);
  await using cluster = await startCluster({ flags: [`--token-auth-file=${tokenFile}`] });
  const address = { url: cluster.url, pki: join(dirname(cluster.kubeconfig), 'pki') };
  const admin = http1Client(address);
  const guest = http1Client(address, { token: guestToken });
  const config = new KubeConfig();
  config.loadFromFile(cluster.kubeconfig);
  await cluster.apply(standingDefinition);
  await using informers =
    clientGo === undefined ? undefined : await ClientGoInformers.start(clientGo, cluster.kubeconfig);
  const watched = new WatchedKinds(admin);
  await watched.start(config);
  let round = 0;
  try {
    let mark = await cluster.mark();
    let state = await settledState(admin);
    for (round = 1; round <= rounds; round++) {
      if (random.chance(0.2)) {
        await cluster.release(mark);
        await writeAtRandom(admin, random, random.between(5, 20));
        state = await settledState(admin);
        mark = await cluster.mark();
      }
      const claims = await makeClaims(admin, guest, guestName);
      await writeAtRandom(admin, random, random.between(5, 40));
      const problems = hasWriters ? await writeThrough(admin, () => cluster.rollback(mark)) : [];
      await cluster.rollback(mark);
      const now = await compared(admin, state);
      if (problems.length > 0 || now.problems.length > 0) throw new Error([...problems, ...now.problems].join('\n'));
      const held = await watched.follow(now.state);
      await informers?.follow(held, admin);
      if (watched.problems.length > 0) throw new Error(watched.problems.join('\n'));
      await checkClaims(admin, guest, claims);
      await cluster.rollback(mark);
      if (round % 50 === 0) say?.(`${round} rounds, ${state.size} objects`);
    }
  } catch (error) {
    throw new Error(`seed ${seed}, round ${round}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await watched.stop();
    admin.close();
    guest.close();
  }
}

async function compared(
  admin: ApiClient,
  then: ListedState,
): Promise<{ readonly state: ListedState; readonly problems: readonly string[] }> {
  const state = await listState(admin);
  return { state, problems: stateDifferences(then, state) };
}

/** A line of a token file that names the guest. */
export const guestLine = `${guestToken},${guestName},guest-uid\n`;
