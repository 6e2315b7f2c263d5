import type { CoreContext } from '#servers/core/context/core-context.ts';
import { bootstrapFlowControl } from '#shared/api/bootstrap-objects.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { PrefixFollower } from '#shared/follow/follow-prefix.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { ensureStored } from './ensure-object.ts';
import { markFlowSchemas } from './flow-schema-status.ts';
import { followStored } from './follow-stored.ts';
import { isLeftOver, reviseFlowControl } from './revise-flow-control.ts';
import { WriteLimit } from './write-limit.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const producer = 'api-priority-and-fairness-config-producer-v1';
const everyMs = 60_000;
const resources = ['prioritylevelconfigurations', 'flowschemas'] as const;

type Resource = (typeof resources)[number];

/**
 * Maintains the mandatory and suggested objects of KEP-1040 at the start and each minute. When an object changes, the
 * status of each FlowSchema is updated at once to show whether its priority level exists.
 */
export class FlowControlController {
  readonly #core: CoreContext;
  readonly #onError: (error: unknown) => void;
  readonly #objects: Reconciler;
  readonly #marks: Reconciler;
  readonly #limit = new WriteLimit();
  #followers: readonly PrefixFollower[] = [];

  constructor(core: CoreContext, onError: (error: unknown) => void) {
    this.#core = core;
    this.#onError = onError;
    this.#objects = new Reconciler({ round: () => ensureFlowControl(core), everyMs, onError });
    this.#marks = new Reconciler({ round: () => markFlowSchemas(core, this.#limit), onError });
  }

  /** Resolves after the first round; rejects when it failed, and may then be called again. */
  async start(): Promise<void> {
    await ensureFlowControl(this.#core);
    await markFlowSchemas(this.#core, this.#limit);
    this.#objects.begin();
    this.#marks.begin();
    this.#followers = resources.map((resource) =>
      followStored(this.#core, { group, resource }, () => this.#marks.request(), this.#onError),
    );
  }

  async close(): Promise<void> {
    for (const follower of this.#followers) follower.close();
    await Promise.all([this.#objects.close(), this.#marks.close()]);
  }
}

async function ensureFlowControl(core: CoreContext): Promise<void> {
  const facts = bootstrapFlowControl();
  await ensureAll(
    core,
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    facts.mandatoryPriorityLevels,
    facts.suggestedPriorityLevels,
  );
  await ensureAll(core, 'flowschemas', 'FlowSchema', facts.mandatoryFlowSchemas, facts.suggestedFlowSchemas);
}

async function ensureAll(
  core: CoreContext,
  resource: Resource,
  kind: string,
  mandatory: readonly JsonObject[],
  suggested: readonly JsonObject[],
): Promise<void> {
  const wanted = [...mandatory, ...suggested].map((facts) =>
    asKubeObject(cloneJson({ apiVersion: `${group}/v1`, kind, ...facts })),
  );
  await Promise.all(wanted.map((object, index) => ensure(core, resource, object, index < mandatory.length)));
  const names = new Set(wanted.map(({ metadata }) => metadata.name ?? ''));
  const store = core.store(group, resource);
  for (const entry of store.cache.snapshot().entries(store.key(''))) {
    if (names.has(entry.name) || !isLeftOver(store.parse(entry), names)) continue;
    await store.delete(entry.name, {}, systemContext({ fieldManager: producer })).catch(unlessGone);
  }
}

async function ensure(core: CoreContext, resource: Resource, wanted: KubeObject, isMandatory: boolean): Promise<void> {
  if (await ensureStored(core, group, resource, wanted, producer)) return;
  const store = core.store(group, resource);
  const { name = '' } = wanted.metadata;
  core.setDefaults(group, resource, wanted);
  const entry = store.cache.get(store.key('', name));
  if (entry === undefined || !reviseFlowControl(store.parse(entry), wanted, isMandatory)) return;
  const revised = (existing: KubeObject): KubeObject => (
    reviseFlowControl(existing, cloneJson(wanted), isMandatory),
    existing
  );
  await store
    .update(
      {
        name,
        subresource: '',
        transform: (existing) => revised(existing as KubeObject),
      },
      systemContext({ fieldManager: producer }),
    )
    .catch(unlessGone);
}

function unlessGone(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error;
}
