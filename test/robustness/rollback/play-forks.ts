import { dirname, join } from 'node:path';
import type { TestCluster } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';
import { http1Client, type ApiClient } from '#test/api-client.ts';
import { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import { ClientGoInformers } from './client-go-informers.ts';
import type { ListedObject, ListedState } from './listed-object.ts';
import { settledState, stateDifferences } from './listed-state.ts';
import type { PlayOptions } from './play-rollbacks.ts';
import { standingDefinition, writeAtRandom } from './random-writes.ts';

function clientOf({ url, kubeconfig }: TestCluster): ApiClient {
  return http1Client({ url, pki: join(dirname(kubeconfig), 'pki') });
}

/**
 * Plays rounds of random writes and forks: a fork has the objects of its source with their uids, and from then on
 * neither shows what is written to the other.
 * @throws Error that names the round and what differs
 */
export async function playForks({ rounds, seed, clientGo, say }: Omit<PlayOptions, 'hasWriters'>): Promise<void> {
  const random = new SeededRandom(seed);
  await using cluster = await startCluster();
  const source = clientOf(cluster);
  const follow = async ({ kubeconfig }: TestCluster): Promise<ClientGoInformers | undefined> =>
    clientGo === undefined ? undefined : ClientGoInformers.start(clientGo, kubeconfig);
  await cluster.apply(standingDefinition);
  await using informers = await follow(cluster);
  let round = 0;
  try {
    let state = await settledState(source);
    for (round = 1; round <= rounds; round++) {
      await using fork = await cluster.fork();
      await using informersOfFork = await follow(fork);
      const copy = clientOf(fork);
      try {
        const write = async (client: ApiClient): Promise<ListedState> => {
          await writeAtRandom(client, random, random.between(5, 40));
          return settledState(client);
        };
        refuse('a new fork differs', differences(state, await settledState(copy)));
        const written = await write(copy);
        refuse('the source shows writes of its fork', differences(state, await settledState(source)));
        state = await write(source);
        const copied = await settledState(copy);
        refuse('the fork shows writes of its source', differences(written, copied));
        await informers?.follow(state, source);
        await informersOfFork?.follow(copied, copy);
      } finally {
        copy.close();
      }
      if (round % 50 === 0) say?.(`${round} rounds, ${state.size} objects`);
    }
  } catch (error) {
    throw new Error(`seed ${seed}, round ${round}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    source.close();
  }
}

/** What servers make again when it was deleted: a new fork at once, others after a while. */
const remade = [/^services\.\/default\/kubernetes$/, /^ipaddresses\.networking\.k8s\.io\/\/10\.0\.0\.1$/];

/** Without what was being deleted before: when that goes is up to the controllers of each cluster. */
function differences(before: ListedState, after: ListedState): readonly string[] {
  const isGoing = ({ metadata }: ListedObject): boolean => metadata.deletionTimestamp !== undefined;
  const namespaces = new Set(
    [...before]
      .filter(([place, object]) => place.startsWith('namespaces./') && isGoing(object))
      .map(([, { metadata }]) => metadata.name),
  );
  const going = new Set(
    [...before]
      .filter(([, each]) => isGoing(each) || namespaces.has(each.metadata.namespace ?? ''))
      .map(([place]) => place),
  );
  const staying = (state: ListedState): ListedState =>
    new Map([...state].filter(([place]) => !going.has(place) && !remade.some((pattern) => pattern.test(place))));
  return stateDifferences(staying(before), staying(after));
}

function refuse(what: string, differences: readonly string[]): void {
  if (differences.length > 0) throw new Error([what, ...differences].join('\n'));
}
