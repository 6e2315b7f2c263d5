import type { CoreContext } from '#servers/core/context/core-context.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject as ensureMember } from '#shared/apimachinery/set-default.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { PrefixFollower } from '#shared/follow/follow-prefix.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { ensureStored } from './ensure-object.ts';
import { followStored } from './follow-stored.ts';

const group = 'networking.k8s.io';
const name = 'kubernetes';

/** Maintains the default ServiceCIDR: at the start, and whenever it is changed or deleted. */
export class ServiceCidrController {
  readonly #core: CoreContext;
  readonly #cidrs: readonly string[];
  readonly #onError: (error: unknown) => void;
  readonly #rounds: Reconciler;
  #follower: PrefixFollower | undefined;

  constructor(core: CoreContext, cidrs: readonly string[], onError: (error: unknown) => void) {
    this.#core = core;
    this.#cidrs = cidrs;
    this.#onError = onError;
    this.#rounds = new Reconciler({ round: () => ensureServiceCidr(core, cidrs), onError });
  }

  /** Resolves after the first round; rejects when it failed, and may then be called again. */
  async start(): Promise<void> {
    await ensureServiceCidr(this.#core, this.#cidrs);
    this.#follower = followStored(
      this.#core,
      { group, resource: 'servicecidrs', name },
      () => this.#rounds.request(),
      this.#onError,
    );
  }

  async close(): Promise<void> {
    this.#follower?.close();
    await this.#rounds.close();
  }
}

/**
 * Creates the ServiceCIDR of the flag if it is missing, and sets its condition Ready
 * (pkg/controlplane/controller/defaultservicecidr).
 */
async function ensureServiceCidr(core: CoreContext, cidrs: readonly string[]): Promise<void> {
  await ensureStored(core, group, 'servicecidrs', {
    apiVersion: `${group}/v1`,
    kind: 'ServiceCIDR',
    metadata: { name },
    spec: { cidrs: [...cidrs] },
  });
  const context = systemContext({ fieldManager: 'kubernetes-service-cidr-controller' });
  const store = core.store(group, 'servicecidrs');
  try {
    const present = store.parse(await store.get('', name));
    const held = stringsAt(present, 'spec', 'cidrs');
    if (gainsFamily(held, cidrs)) {
      await store.update(
        {
          name,
          subresource: '',
          transform: (existing) => withCidrs(existing as KubeObject, cidrs),
        },
        context,
      );
      return;
    }
    // The controller-manager or the administrator handles one that is being deleted or has other CIDRs.
    if (present.metadata.deletionTimestamp !== undefined || held.join() !== cidrs.join() || isJudged(present)) return;
    await store.update(
      { name, subresource: 'status', applies: true, transform: () => readyStatus(context.nowMs) },
      { ...context, subresource: 'status' },
    );
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

/**
 * Whether the new CIDRs only add a second IP family to the stored one; any other change is a different configuration.
 */
function gainsFamily(held: readonly string[], cidrs: readonly string[]): boolean {
  return held.length === 1 && cidrs.length === 2 && held[0] === cidrs[0];
}

function withCidrs(serviceCidr: KubeObject, cidrs: readonly string[]): KubeObject {
  ensureMember(serviceCidr, 'spec')['cidrs'] = [...cidrs];
  return serviceCidr;
}

function isJudged(serviceCidr: KubeObject): boolean {
  return objectsAt(serviceCidr, 'status', 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Ready' && stringAt(condition, 'status') !== 'Unknown',
  );
}

function readyStatus(nowMs: number): KubeObject {
  const ready = {
    type: 'Ready',
    status: 'True',
    message: 'Kubernetes default Service CIDR is ready',
    lastTransitionTime: timeFromMs(nowMs),
  };
  return { apiVersion: `${group}/v1`, kind: 'ServiceCIDR', metadata: { name }, status: { conditions: [ready] } };
}
