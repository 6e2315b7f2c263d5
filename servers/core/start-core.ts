import { factsAsOf } from '../../shared/api/emulated-facts.ts';
import { loadFacts } from '../../shared/api/load-facts.ts';
import type { Handler } from '../../shared/request/request-context.ts';
import { resourceApi } from '../../shared/server/assembly/resource-api.ts';
import { openAuthorization, openServerBase, type ServerBase } from '../../shared/process/server-base.ts';
import { startBackend } from '../../shared/process/start-backend.ts';
import type { AuthorizationSystem } from '../../shared/authorization/create-authorizer.ts';
import { BackendReporter } from '../../shared/process/backend-reporter.ts';
import type { ProcessOptions } from '../../shared/process/data-directory.ts';
import { externalAddress } from '../../shared/process/external-address.ts';
import { effectiveVersion } from '../../shared/server/options/effective-version.ts';
import { featureGates } from '../../shared/server/options/feature-gates.ts';
import type { ProcessBody } from '../../shared/process/process-link.ts';
import { storageChecks } from '../../shared/server/storage-check.ts';
import { coreAdmission } from './admission/core-admission.ts';
import { ServiceRepair } from './controllers/service-repair.ts';
import { createCoreResources, type CoreResources } from './core-resources.ts';
import { fillCaches } from './fill-caches.ts';
import { installFixedPaths } from './fixed-paths.ts';
import { builtInGates } from './gates/gates.ts';
import { postStartHooks } from './post-start-hooks.ts';
import { coreGroupVersions } from './served-group-versions.ts';
import { ExpressionCompilers } from './validation/expressions.ts';
import type { Gates } from './gates/gates.ts';
import type { RuleSettings } from './gates/rule-settings.ts';
import { tellKeptBytes } from '../../shared/observability/kept-bytes.ts';

/** Puts the core server together and opens its internal listener. It serves once the bootstrap objects are there. */
export async function startCore(process: ProcessOptions): Promise<ProcessBody> {
  const options = process.server;
  const base = openServerBase(process, {
    facts: factsAsOf(loadFacts(), effectiveVersion(options)),
    compactsStorage: true,
  });
  const { storage, authentication, health } = base;
  const settings: RuleSettings = {
    gates: builtInGates(featureGates(options).gates),
    allowPrivileged: options.allowPrivileged,
  };
  const expressions = new ExpressionCompilers(effectiveVersion(options).minCompatibility, settings.gates);
  const stopTelling = tellKeptBytes('expressions', expressions.maxKeptBytes, () => expressions.keptBytes);
  const resources = createCoreResources({ ...base, settings, expressions });
  const { rest, core } = resources;
  const repair = new ServiceRepair(core, resources.allocators, base.reportError);
  const own = postStartHooks(core, options, authentication, repair);
  const authorization = openAuthorization(base, rest.caches);
  resources.use(authorization);
  const namespaces = rest.caches.cache('', 'namespaces');
  for (const check of storageChecks(storage, options)) health.add(check);
  health.add({
    name: 'informer-sync',
    endpoints: ['readyz'],
    check: () => (authorization.isReady() && namespaces.isReady() ? undefined : 'caches are being filled'),
  });
  const reporter = new BackendReporter('core', coreGroupVersions(rest), health);
  const handler = coreHandler(base, resources, settings.gates, authorization);
  const storageReady = (): Promise<void> => storage.ready(options.storageInitializationTimeout);
  await storageReady();
  // There may be very many of them, so that nothing waits for this; usually it is done before the server is ready.
  const configMaps = rest.caches.cache('', 'configmaps').ready();
  // Rejects when the server ends before.
  configMaps.catch(() => undefined);
  let over = false;
  const body = await startBackend(base, {
    name: 'core',
    authorization,
    reporter,
    handler,
    postStartHooks: {
      'start-apiserver-admission-initializer': () => namespaces.ready(),
      'generic-apiserver-start-informers': () => authorization.ready(),
      'storage-readiness': storageReady,
      ...own.hooks,
    },
    metrics: repair.metrics,
    stopWork: () => void (over = true),
    close() {
      void own.close();
      stopTelling();
      resources.kubelets.close();
      rest.caches.close();
    },
  });
  configMaps.then(() => fillCaches(rest, () => over)).catch(() => undefined);
  return body;
}

/** Resources, discovery of what is registered, and the fixed paths beside them. */
function coreHandler(
  base: ServerBase,
  { rest, core }: CoreResources,
  gates: Gates,
  authorization: AuthorizationSystem,
): Handler {
  const { options, facts, authentication, mux } = base;
  const { authorizer } = authorization;
  const address = externalAddress(options);
  installFixedPaths(mux, { facts, rest, authentication, options, address });
  const admission = coreAdmission(options, facts, core, gates, authorizer);
  return resourceApi({ options, facts, admission, authorizer, resources: rest, serverAddress: address });
}
