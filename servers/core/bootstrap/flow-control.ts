import { bootstrapFlowControl } from '../../../shared/api/bootstrap-objects.ts';
import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { asKubeObject, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { hasReason } from '../../../shared/apimachinery/status.ts';
import type { CoreContext } from '../context/core-context.ts';
import { ensureStored } from './ensure-object.ts';
import { markFlowSchemas } from './flow-schema-status.ts';
import { followChanges } from './follow-changes.ts';
import { isLeftOver, reviseFlowControl } from './revise-flow-control.ts';
import { systemContext } from '../context/system-context.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const producer = 'api-priority-and-fairness-config-producer-v1';
const everyMs = 60_000;
const resources = ['prioritylevelconfigurations', 'flowschemas'] as const;

type Resource = (typeof resources)[number];

/**
 * Keeps the mandatory and suggested objects of KEP-1040: at the start and each minute; their schemas say at once
 * whether their level is there.
 */
export class FlowControlController {
  readonly #core: CoreContext;
  readonly #onError: (error: unknown) => void;
  #marksDue = false;
  #running: Promise<void> = Promise.resolve();

  constructor(core: CoreContext, onError: (error: unknown) => void) {
    this.#core = core;
    this.#onError = onError;
  }

  /** Resolves after the first round; rejects when it failed, and may then be called again. */
  async start(): Promise<void> {
    await ensureFlowControl(this.#core);
    await markFlowSchemas(this.#core);
    setInterval(() => this.#inTurn(() => ensureFlowControl(this.#core)), everyMs).unref();
    for (const resource of resources)
      followChanges(this.#core.storage, this.#core.store(group, resource).key(''), () => this.#mark(), this.#onError);
  }

  /** What changes meanwhile is looked at once. */
  #mark(): void {
    if (this.#marksDue) return;
    this.#marksDue = true;
    this.#inTurn(() => {
      this.#marksDue = false;
      return markFlowSchemas(this.#core);
    });
  }

  #inTurn(work: () => Promise<void>): void {
    this.#running = this.#running.then(work).catch(this.#onError);
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
    await store.delete(systemContext('', producer), entry.name, {}).catch(unlessGone);
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
    .update(systemContext('', producer), {
      name,
      subresource: '',
      transform: (existing) => revised(existing as KubeObject),
    })
    .catch(unlessGone);
}

function unlessGone(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error;
}
