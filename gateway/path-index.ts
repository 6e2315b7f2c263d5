import { internalPrefix } from '#shared/filters/filter-tools.ts';
import { LatestAnswer } from './polling/latest-answer.ts';
import type { BackendPool } from './proxy/backend-pool.ts';
import { internalFetch } from './proxy/internal-request.ts';
import type { RoutingTable } from './proxy/routing-table.ts';

/** How long a request for the index waits for a backend that hangs. */
const patienceMs = 500;

/** Lists the paths of the index at `/` beside the gateway's own: those of the backends and of all group versions. */
export function createPathLister(
  pools: readonly BackendPool[],
  table: () => RoutingTable,
): () => Promise<Iterable<string>> {
  const answers = pools.map((pool) => new LatestAnswer(() => readPaths(pool), patienceMs));
  return async () => {
    const backends = await Promise.all(answers.map((answer) => answer.get()));
    return [...backends.flatMap(({ value }) => value ?? []), '/apis', '/apis/', ...groupPaths(table())];
  };
}

function groupPaths(table: RoutingTable): string[] {
  return [...table.routes()]
    .map((route) => (route.kind === 'remote' ? route.spec : route.served))
    .flatMap(({ group, version }) =>
      group === '' ? ['/api', `/api/${version}`] : [`/apis/${group}`, `/apis/${group}/${version}`],
    );
}

async function readPaths(pool: BackendPool): Promise<readonly string[]> {
  const { status, body } = await internalFetch(pool, '/', { accept: 'application/json' });
  if (status !== 200) throw new Error(`${pool.name} answered ${status}`);
  const { paths } = JSON.parse(body.toString('utf8')) as { readonly paths: readonly string[] };
  return paths.filter((path) => !path.startsWith(internalPrefix));
}
