import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isClaims, isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { maxFieldErrors } from '#shared/apimachinery/errors/error-budget.ts';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { amountsOf, podAmounts, type Amounts } from '#shared/objects/pod-resources.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';
import { atLeast, atMost, inOrder, ratioAtMost, requestAtMost, violations, type Limited } from './limit-constraints.ts';
import { setContainerDefaults } from './limit-defaults.ts';

/** Whether pod-level amounts of the resource count. */
const podLevel = (name: string): boolean => name === 'cpu' || name === 'memory';

/** Keeps requests and limits within the limit ranges of the namespace (plugin/pkg/admission/limitranger). */
export class LimitRanger implements AdmissionPlugin {
  readonly name = 'LimitRanger';
  readonly #ranges: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#ranges = new ObjectLister(caches, '', 'limitranges');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return (isPods(resource) || isClaims(resource)) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  async ready(): Promise<void> {
    await this.#ranges.ready();
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { object } = attributes;
    if (object === undefined || !isPods(attributes.resource)) return;
    setContainerDefaults(await this.#rangesFor(attributes), object);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object } = attributes;
    if (object === undefined) return;
    for (const range of await this.#rangesFor(attributes)) {
      const found = isPods(attributes.resource)
        ? podViolations(range, podSpec(object))
        : claimViolations(range, object);
      // Containers and resources multiply: what is found is bounded, and each pair that is in order has a text in the pod.
      const messages = found.take(maxFieldErrors).toArray();
      if (messages.length > 0) throw refuseAdmission(attributes, aggregateMessages(messages));
    }
  }

  async #rangesFor(attributes: AdmissionAttributes): Promise<readonly KubeObject[]> {
    if (!applies(attributes) || attributes.oldObject?.metadata.deletionTimestamp) return [];
    if (!this.#ranges.isReady()) await this.#ranges.ready();
    return this.#ranges.list(attributes.namespace);
  }
}

/** Updates of pods are skipped: only the `resize` subresource changes the resources of a pod. */
function applies({ operation, resource, subresource }: AdmissionAttributes): boolean {
  if (subresource === 'resize') return isPods(resource) && operation === 'UPDATE';
  return subresource === '' && !(isPods(resource) && operation === 'UPDATE');
}

function* podViolations(range: KubeObject, spec: JsonObject): Generator<string> {
  for (const limit of objectsAt(range, 'spec', 'limits')) {
    const [min, max] = [amountsIn(limit, 'min'), amountsIn(limit, 'max')];
    const ratio = amountsIn(limit, 'maxLimitRequestRatio');
    for (const limited of limitedOf(stringAt(limit, 'type'), spec)) {
      yield* violations(atLeast, limited, min);
      yield* violations(atMost, limited, max);
      yield* violations(ratioAtMost, limited, ratio);
    }
  }
}

function amountsIn(limit: JsonObject, name: string): Amounts {
  return inOrder(amountsOf(objectAt(limit, name)));
}

function limitedOf(type: string, spec: JsonObject): Limited[] {
  if (type === 'Pod')
    return [
      {
        type,
        requests: podAmounts(spec, 'requests', false, podLevel),
        limits: podAmounts(spec, 'limits', false, podLevel),
      },
    ];
  if (type !== 'Container') return [];
  return [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].map((container) => ({
    type,
    requests: amountsOf(objectAt(container, 'resources', 'requests')),
    limits: amountsOf(objectAt(container, 'resources', 'limits')),
  }));
}

function* claimViolations(range: KubeObject, claim: KubeObject): Generator<string> {
  for (const limit of objectsAt(range, 'spec', 'limits')) {
    const type = stringAt(limit, 'type');
    if (type !== 'PersistentVolumeClaim') continue;
    const limited = { type, requests: amountsOf(objectAt(claim, 'spec', 'resources', 'requests')), limits: new Map() };
    yield* violations(atLeast, limited, amountsIn(limit, 'min'));
    yield* violations(requestAtMost, limited, amountsIn(limit, 'max'));
  }
}
