import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { equalQuantityTexts } from '#shared/apimachinery/values/quantity.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';
import { mergeTolerations } from './tolerations.ts';

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** Sets overhead and scheduling rules of pods from their runtime class (plugin/pkg/admission/runtimeclass). */
export class RuntimeClass implements AdmissionPlugin {
  readonly name = 'RuntimeClass';
  readonly #classes: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#classes = new ObjectLister(caches, 'node.k8s.io', 'runtimeclasses');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && isPods(resource);
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (attributes.object === undefined || attributes.subresource !== '') return;
    const spec = podSpec(attributes.object);
    const found = await this.#classOf(attributes, spec);
    if (found === undefined) return;
    setOverhead(attributes, spec, objectAt(found, 'overhead'));
    setScheduling(attributes, spec, objectAt(found, 'scheduling'));
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (attributes.object === undefined || attributes.subresource !== '') return;
    const spec = podSpec(attributes.object);
    const defined = objectAt(await this.#classOf(attributes, spec), 'overhead');
    if (defined === undefined) {
      if (objectAt(spec, 'overhead') !== undefined)
        throw refuseAdmission(
          attributes,
          'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
        );
      return;
    }
    if (!sameAmounts(objectAt(defined, 'podFixed'), objectAt(spec, 'overhead')))
      throw refuseAdmission(attributes, mismatch);
  }

  async #classOf(attributes: AdmissionAttributes, spec: JsonObject): Promise<KubeObject | undefined> {
    if (spec['runtimeClassName'] === undefined) return undefined;
    const name = stringAt(spec, 'runtimeClassName');
    // The reference's client refuses a request with an empty name.
    if (name === '') throw new StatusError(failureStatus(500, '', 'resource name may not be empty'));
    const found = await this.#classes.getFresh('', name);
    if (found === undefined) throw refuseAdmission(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
    return found;
  }
}

function setOverhead(attributes: AdmissionAttributes, spec: JsonObject, overhead: JsonObject | undefined): void {
  if (overhead === undefined) return;
  const fixed = objectAt(overhead, 'podFixed');
  const given = objectAt(spec, 'overhead');
  if (given !== undefined && Object.keys(given).length > 0 && !sameAmounts(fixed, given))
    throw refuseAdmission(attributes, mismatch);
  if (fixed !== undefined) spec['overhead'] = cloneJson(fixed);
}

function setScheduling(attributes: AdmissionAttributes, spec: JsonObject, scheduling: JsonObject | undefined): void {
  if (scheduling === undefined) return;
  const selector = stringMapAt(spec, 'nodeSelector');
  const demanded = stringMapAt(scheduling, 'nodeSelector');
  for (const [key, value] of demanded) {
    const given = selector.get(key);
    if (given !== undefined && given !== value) {
      throw refuseAdmission(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`,
      );
    }
  }
  if (demanded.size > 0) spec['nodeSelector'] = Object.fromEntries([...selector, ...demanded]);
  const merged = mergeTolerations(objectsAt(spec, 'tolerations'), objectsAt(scheduling, 'tolerations'));
  if (merged.length > 0) spec['tolerations'] = merged.map((item) => cloneJson(item));
}

function sameAmounts(a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  const left = stringMapAt(a);
  const right = stringMapAt(b);
  return left.size === right.size && [...left].every(([key, value]) => equalQuantityTexts(value, right.get(key) ?? ''));
}
