import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { BackendPool } from './backend-pool.ts';
import type { Backend } from './backend.ts';

const retryAfterSeconds = 1;

/** The 503 while no backend is available. The client may retry the same request. */
export function backendAway(pool: BackendPool): StatusError {
  return new StatusError(
    failureStatus(503, 'ServiceUnavailable', `the ${pool.name} server is not available, please try again later`, {
      retryAfterSeconds,
    }),
  );
}

export function pickOrRefuse(pool: BackendPool, excluded: ReadonlySet<Backend> | undefined): Backend {
  const backend = pool.pick(excluded);
  if (backend === undefined) throw backendAway(pool);
  return backend;
}
