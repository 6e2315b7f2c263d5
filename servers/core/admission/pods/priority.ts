import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, numberAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';

interface ClassPriority {
  readonly className: string;
  readonly value: number;
  readonly policy: string;
}

/** The priority of a pod without a class if there is no default class. */
const plain: ClassPriority = { className: '', value: 0, policy: 'PreemptLowerPriority' };

function isClasses({ group, resource }: GroupResource): boolean {
  return group === 'scheduling.k8s.io' && resource === 'priorityclasses';
}

function isPodGroups({ group, resource }: GroupResource): boolean {
  return group === 'scheduling.k8s.io' && resource === 'podgroups';
}

/**
 * Sets the priority of pods and pod groups by their class, and allows only one default class
 * (plugin/pkg/admission/priority).
 */
export class Priority implements AdmissionPlugin {
  readonly name = 'Priority';
  readonly #classes: ObjectLister;
  readonly #hasPodGroups: boolean;

  /** @param hasPodGroups whether pod groups have a priority, too (WorkloadAwarePreemption) */
  constructor(caches: ObjectCaches, hasPodGroups = false) {
    this.#hasPodGroups = hasPodGroups;
    this.#classes = new ObjectLister(caches, 'scheduling.k8s.io', 'priorityclasses');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    if (isPodGroups(resource)) return this.#hasPodGroups && operation === 'CREATE';
    return (isPods(resource) || isClasses(resource)) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod, oldObject, resource, subresource } = attributes;
    if (pod === undefined || subresource !== '' || isClasses(resource)) return;
    const spec = podSpec(pod);
    if (attributes.operation === 'UPDATE') keepPriority(spec, oldObject);
    else
      (isPods(resource) ? setPriority : setGroupPriority)(
        attributes,
        spec,
        await this.#priorityOf(attributes, stringAt(spec, 'priorityClassName')),
      );
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, resource, subresource } = attributes;
    if (
      object === undefined ||
      subresource !== '' ||
      !isClasses(resource) ||
      booleanAt(object, 'globalDefault') !== true
    )
      return;
    const present = (await this.#defaultClass())?.metadata.name;
    if (present === undefined || (attributes.operation === 'UPDATE' && present === object.metadata.name)) return;
    throw refuseAdmission(
      attributes,
      `PriorityClass ${present} is already marked as default. Only one default can exist`,
    );
  }

  async #priorityOf(attributes: AdmissionAttributes, className: string): Promise<ClassPriority> {
    if (className === '') {
      const found = await this.#defaultClass();
      return found === undefined ? plain : priorityOf(found);
    }
    const found = await this.#classes.getFresh('', className);
    if (found === undefined) throw refuseAdmission(attributes, `no PriorityClass with name ${className} was found`);
    return priorityOf(found);
  }

  /** The default class; if there are several, the one with the lowest value. */
  async #defaultClass(): Promise<KubeObject | undefined> {
    if (!this.#classes.isReady()) await this.#classes.ready();
    let lowest: KubeObject | undefined;
    for (const item of this.#classes.list()) {
      if (booleanAt(item, 'globalDefault') === true && (lowest === undefined || valueOf(item) < valueOf(lowest)))
        lowest = item;
    }
    return lowest;
  }
}

function valueOf(item: KubeObject): number {
  return numberAt(item, 'value') ?? 0;
}

function priorityOf(item: KubeObject): ClassPriority {
  return { className: item.metadata.name ?? '', value: valueOf(item), policy: stringAt(item, 'preemptionPolicy') };
}

function keepPriority(spec: JsonObject, old: KubeObject | undefined): void {
  for (const field of ['priority', 'preemptionPolicy']) {
    const before = old === undefined ? undefined : getKey(podSpec(old), field);
    if (getKey(spec, field) === undefined && before !== undefined) setKey(spec, field, before);
  }
}

function setGroupPriority(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  { className, value }: ClassPriority,
): void {
  const given = numberAt(spec, 'priority');
  if (given !== undefined && given !== value) {
    throw refuseAdmission(
      attributes,
      `priority set in the pod group (${given}) must match the priority computed (${value}) based on the priority class set in the spec`,
    );
  }
  spec['priority'] = value;
  if (className !== '') spec['priorityClassName'] = className;
}

function setPriority(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  { className, value, policy }: ClassPriority,
): void {
  if (className !== '') spec['priorityClassName'] = className;
  const given = numberAt(spec, 'priority');
  if (given !== undefined && given !== value) {
    throw refuseAdmission(
      attributes,
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec['priority'] = value;
  if (policy === '') return;
  const givenPolicy = spec['preemptionPolicy'];
  if (typeof givenPolicy === 'string' && givenPolicy !== policy) {
    throw refuseAdmission(
      attributes,
      `the string value of PreemptionPolicy (${givenPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec['preemptionPolicy'] = policy;
}
