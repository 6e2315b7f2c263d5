import { storageOf } from '#shared/storage/create/partitioned-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import type { HealthCheck } from './health.ts';
import type { ServerOptions } from './options/server-options.ts';
import { storageOverrides } from './options/storage-overrides.ts';

/**
 * A health check that reads from storage. While storage is unavailable its calls wait, so the check fails after a
 * time-out of its own. Texts are the reference's (apiserver/pkg/storage/storagebackend/factory/etcd3.go).
 */
export function storageCheck(storage: Storage, timeoutMs: number): () => Promise<string | undefined> {
  return async () => {
    const timedOut = Promise.withResolvers<string>();
    const timer = setTimeout(() => timedOut.resolve('context deadline exceeded'), timeoutMs);
    try {
      const fault = await Promise.race([storage.currentRevision().then(() => undefined, messageOf), timedOut.promise]);
      return fault && `error getting data from etcd: ${fault}`;
    } finally {
      clearTimeout(timer);
    }
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Health checks of storage, and of each further etcd that holds some resources. */
export function storageChecks(
  storage: Storage,
  { etcdHealthcheckTimeout, etcdReadycheckTimeout, etcdServersOverrides }: ServerOptions,
): HealthCheck[] {
  const checksOf = (part: Storage, health: string, readiness: string): HealthCheck[] => [
    { name: health, check: storageCheck(part, etcdHealthcheckTimeout) },
    { name: readiness, endpoints: ['readyz'], check: storageCheck(part, etcdReadycheckTimeout) },
  ];
  const others = new Map(
    storageOverrides(etcdServersOverrides).map(({ endpoints, storagePrefix }) => [
      endpoints.toSorted().join(';'),
      storageOf(storage, storagePrefix),
    ]),
  );
  return [
    ...checksOf(storage, 'etcd', 'etcd-readiness'),
    ...[...others.values()].flatMap((part, index) =>
      checksOf(part, `etcd-override-${index}`, `etcd-override-readiness-${index}`),
    ),
  ];
}
