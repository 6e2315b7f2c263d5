import { setTimeout as sleep } from 'node:timers/promises';
import { numberToAddress, parseRange } from '#shared/apimachinery/net/address-range.ts';
import type { Authentication } from '#shared/authentication/create-authenticator.ts';
import { pauseAfter } from '#shared/follow/back-off.ts';
import { limitRepeatedErrors } from '#shared/observability/limit-repeated-errors.ts';
import { printProcessLine } from '#shared/observability/process-lines.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { serviceRanges } from '#shared/server/options/service-ranges.ts';
import { AuthenticationConfigController, authenticationInfo } from './bootstrap/authentication-config.ts';
import { FlowControlController } from './bootstrap/flow-control.ts';
import { KubernetesServiceController } from './bootstrap/kubernetes-service-controller.ts';
import { ensureSystemNamespaces } from './bootstrap/namespaces.ts';
import { ensurePriorityClasses } from './bootstrap/priority-classes.ts';
import { ensureRbac } from './bootstrap/rbac.ts';
import { ServiceCidrController } from './bootstrap/service-cidr.ts';
import { ensureTokenTracking } from './bootstrap/token-tracking.ts';
import type { CoreContext } from './context/core-context.ts';
import type { ServiceRepair } from './controllers/service-repair.ts';

const backOff = { firstMs: 100, longestMs: 5_000 };

/** The work that a core server does on its own after its start. */
export interface CoreStart {
  /** Post-start hooks by the reference's names. */
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;
  /** Stops the work that goes on after the hooks. */
  close(): Promise<void>;
}

/**
 * The hooks that create this server's own objects once it listens, by the reference's names. Each hook may run twice,
 * and in several processes.
 */
export function postStartHooks(
  core: CoreContext,
  options: ServerOptions,
  authentication: Authentication,
  repair: ServiceRepair,
): CoreStart {
  const ranges = serviceRanges(options);
  const cidrs = new ServiceCidrController(core, ranges, (error) =>
    report('the default ServiceCIDR is not current', error),
  );
  const cidr = once(() => cidrs.start());
  const namespaces = once(() => ensureSystemNamespaces(core));
  const info = new AuthenticationConfigController(
    core,
    () => authenticationInfo(options, authentication),
    (error) => report('what tells extension servers how to authenticate is not current', error),
  );
  const flowControl = new FlowControlController(core, (error) =>
    report('the objects of flow control are not current', error),
  );
  const controller = kubernetesService(core, options, ranges[0] ?? '');
  const hooks: Record<string, () => Promise<void>> = {
    'start-system-namespaces-controller': namespaces,
    'rbac/bootstrap-roles': async () => {
      await namespaces();
      if (readsRoles(options)) await ensureRbac(core, featureGates(options).gates);
    },
    'start-cluster-authentication-info-controller': async () => {
      await namespaces();
      await info.start();
      for (const bundle of [authentication.clientCa, authentication.requestHeaderCa])
        bundle?.onChange(() => info.again());
    },
    'start-legacy-token-tracking-controller': async () => {
      await namespaces();
      await ensureTokenTracking(core);
    },
    'scheduling/bootstrap-system-priority-classes': () => ensurePriorityClasses(core),
    'priority-and-fairness-config-producer': () => flowControl.start(),
    'start-kubernetes-service-cidr-controller': cidr,
    'start-service-ip-repair-controllers': async () => {
      await cidr();
      await repair.start();
    },
    'bootstrap-controller': async () => {
      await Promise.all([namespaces(), cidr()]);
      await controller.start();
    },
  };
  const ending = new AbortController();
  return {
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([name, run]) => [name, () => untilDone(name, ending.signal, run)]),
    ),
    async close() {
      ending.abort();
      await Promise.all([cidrs, info, flowControl, controller, repair].map((one) => one.close()));
    },
  };
}

/** Roles are of no use where everything is allowed, which is what servers of tests do. */
function readsRoles({ authorizationConfig, authorizationMode: modes }: ServerOptions): boolean {
  return authorizationConfig !== '' || modes.some((mode) => mode !== 'AlwaysAllow');
}

function kubernetesService(core: CoreContext, options: ServerOptions, range: string): KubernetesServiceController {
  const { kubernetesServiceNodePort: nodePort, securePort } = options;
  const onError = (error: unknown): void => report('the kubernetes Service is not current; trying again', error);
  return new KubernetesServiceController(
    core,
    { clusterIP: firstAddress(range), securePort, nodePort },
    options.endpointReconcilerType === 'lease',
    onError,
  );
}

const report = limitRepeatedErrors((what, error) =>
  printProcessLine(`${what}: ${error instanceof Error ? error.message : String(error)}`),
);

/**
 * Retries a hook until it succeeds: storage may be unavailable for a moment, or another server may do the same work.
 */
async function untilDone(name: string, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted) return;
      report(`post-start hook ${name} failed, trying again`, error);
    }
    await sleep(pauseAfter(failures, backOff), undefined, { ref: false, signal }).catch(() => undefined);
  }
}

function firstAddress(cidr: string): string {
  const range = parseRange(cidr);
  if (!range)
    throw new TypeError(`--service-cluster-ip-range: ${JSON.stringify(cidr)} is no CIDR; give one such as 10.0.0.0/24`);
  return numberToAddress(range.first + 1n, range.family);
}

/** Shares one piece of work between several hooks; after a failure, the next call starts it again. */
function once(work: () => Promise<void>): () => Promise<void> {
  let started: Promise<void> | undefined;
  return () =>
    (started ??= work().catch((error: unknown) => {
      started = undefined;
      throw error;
    }));
}
