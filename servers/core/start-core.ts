import { factsAsOf } from '#shared/api/emulated-facts.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { BackendReporter } from '#shared/process/backend-reporter.ts';
import type { ProcessOptions } from '#shared/process/data-directory.ts';
import type { ProcessBody } from '#shared/process/end-gracefully.ts';
import { externalAddress } from '#shared/process/external-address.ts';
import { openServerDependencies } from '#shared/process/server-dependencies.ts';
import { startBackend } from '#shared/process/start-backend.ts';
import { createApiServer } from '#shared/server/create-api-server.ts';
import { effectiveVersion } from '#shared/server/options/effective-version.ts';
import { storageChecks } from '#shared/server/storage-check.ts';
import { coreAdmission } from './admission/core-admission.ts';
import { allocationMetrics } from './allocation/service-allocators.ts';
import { labelOwnSecrets } from './bootstrap/label-secrets.ts';
import { ServiceRepair } from './controllers/service-repair.ts';
import { openCoreResources } from './core-resources.ts';
import { coreUserRules } from './core-user-rules.ts';
import { fillCaches } from './fill-caches.ts';
import { coreDocuments, installTokenKeys } from './fixed-paths.ts';
import { postStartHooks } from './post-start-hooks.ts';
import { coreGroupVersions } from './served-group-versions.ts';

/** Starts the core server and opens its internal listener. It serves once the bootstrap objects exist. */
export async function startCore(process: ProcessOptions): Promise<ProcessBody> {
  const options = process.server;
  const facts = factsAsOf(loadFacts(), effectiveVersion(options));
  const base = await openServerDependencies(process, { facts, compactsStorage: true });
  const { storage, authentication, health, mux, reportError } = base;
  const resources = openCoreResources(base);
  const { rest, core, access, allocators } = resources;
  authentication.legacyUses.writeBy(labelOwnSecrets(core));
  const repair = new ServiceRepair(core, allocators, reportError);
  const rules = coreUserRules(base, resources);
  const own = postStartHooks(core, options, authentication, repair);
  const namespaces = rest.caches.cache('', 'namespaces');
  for (const check of storageChecks(storage, options)) health.add(check);
  health.add({
    name: 'informer-sync',
    endpoints: ['readyz'],
    check: () => (access.isReady() && namespaces.isReady() ? undefined : 'caches are being filled'),
  });
  const serverAddress = externalAddress(options);
  installTokenKeys(mux, options, authentication, serverAddress);
  const storageReady = (): Promise<void> => storage.ready(options.storageInitializationTimeout);
  const server = createApiServer({
    ...base,
    name: 'core',
    resources: rest,
    admission: coreAdmission({ ...base, ...resources, flags: options, userRules: rules.plugins }),
    access,
    documents: coreDocuments(rest, options),
    serverAddress,
    postStartHooks: {
      'start-apiserver-admission-initializer': async () =>
        void (await Promise.all([namespaces.ready(), rules.ready()])),
      'generic-apiserver-start-informers': () => access.ready(),
      // Objects are counted when somebody asks (object-counts.ts), so that nothing has to start.
      'storage-object-count-tracker-hook': async () => undefined,
      'storage-readiness': storageReady,
      ...own.hooks,
    },
    metrics: [...repair.metrics, ...allocationMetrics(allocators)],
    close() {
      void own.close();
      rules.close();
      resources.close();
    },
  });
  const reporter = new BackendReporter('core', coreGroupVersions(rest), health);
  await rules.loadManifests();
  await storageReady();
  // There may be very many ConfigMaps, so the start does not wait for this cache; usually it is filled before the
  // server is ready.
  const configMaps = rest.caches.cache('', 'configmaps').ready();
  // Rejects if the server stops before the cache is filled.
  configMaps.catch(() => undefined);
  let over = false;
  const body = await startBackend(base, server, { name: 'core', reporter, stopWork: () => void (over = true) });
  configMaps.then(() => fillCaches(rest, () => over)).catch(() => undefined);
  return body;
}
