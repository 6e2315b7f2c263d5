import { validateTolerations } from '#servers/core/apis/core/pods/validation/taints.ts';
import type { PodTolerationConfiguration } from '#shared/admission/configuration/pod-toleration-configuration.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { isBestEffort } from '#shared/admission/quota/pod-scopes.ts';
import { fieldErrorText, path } from '#shared/apimachinery/errors/field-error.ts';
import { plainFailure } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringMapAt } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';
import {
  goInt64,
  goString,
  pointerTo,
  sliceOf,
  type EncodingJsonType,
} from '#shared/serializer/json/encoding-json-types.ts';
import { decodeEncodingJson } from '#shared/serializer/json/encoding-json.ts';
import { namespaceOf } from './pod-namespace.ts';
import { areAllCovered, mergeTolerations } from './tolerations.ts';

const defaultAnnotation = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const whitelistAnnotation = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
/** Pods that ask for resources may run where memory is short. */
const memoryPressure: JsonObject = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

const tolerationsType: EncodingJsonType = sliceOf({
  kind: 'struct',
  name: 'v1.Toleration',
  fields: [
    { name: 'key', type: goString, omitsZero: true },
    { name: 'operator', type: { kind: 'string', name: 'v1.TolerationOperator' }, omitsZero: true },
    { name: 'value', type: goString, omitsZero: true },
    { name: 'effect', type: { kind: 'string', name: 'v1.TaintEffect' }, omitsZero: true },
    { name: 'tolerationSeconds', type: pointerTo(goInt64), omitsZero: true },
  ],
});

/**
 * Adds the default tolerations of the namespace to its pods, and refuses tolerations that are not allowed there
 * (plugin/pkg/admission/podtolerationrestriction).
 */
export class PodTolerationRestriction implements AdmissionPlugin {
  readonly name = 'PodTolerationRestriction';
  readonly #namespaces: ObjectLister;
  readonly #configured: PodTolerationConfiguration;

  /** @throws ConfigurationError where the configuration has a toleration that no pod may have */
  constructor(caches: ObjectCaches, configured: PodTolerationConfiguration = { default: [], whitelist: [] }) {
    const root = path('podtolerationrestriction');
    const errors = (['default', 'whitelist'] as const).flatMap((list) =>
      atOnce(validateTolerations(configured[list], false, root.child(list))),
    );
    if (errors.length > 0)
      throw new ConfigurationError(`invalid config: [${errors.map((error) => fieldErrorText(error)).join(' ')}]`);
    this.#namespaces = new ObjectLister(caches, '', 'namespaces');
    this.#configured = configured;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isPods(resource) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod, subresource, operation, namespace } = attributes;
    if (pod === undefined || subresource !== '') return;
    const added =
      operation === 'CREATE' ? ((await this.#annotated(namespace, defaultAnnotation)) ?? this.#configured.default) : [];
    const extra = isBestEffort(pod) ? added : [...added, memoryPressure];
    const spec = podSpec(pod);
    if (extra.length > 0)
      spec['tolerations'] = mergeTolerations(objectsAt(spec, 'tolerations'), structuredClone(extra));
    await this.validate(attributes);
  }

  async validate({ object: pod, subresource, namespace }: AdmissionAttributes): Promise<void> {
    if (pod === undefined || subresource !== '') return;
    const tolerations = objectsAt(podSpec(pod), 'tolerations');
    if (tolerations.length === 0) return;
    const own = await this.#annotated(namespace, whitelistAnnotation);
    const whitelist = own ?? this.#configured.whitelist;
    if (whitelist.length === 0 || areAllCovered(tolerations, whitelist)) return;
    const scope = own === undefined ? 'cluster' : 'namespace';
    throw plainFailure(
      `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`,
    );
  }

  /** The tolerations in an annotation of the namespace; undefined where it has none. */
  async #annotated(name: string, annotation: string): Promise<readonly JsonObject[] | undefined> {
    const namespace = await namespaceOf(this.#namespaces, name);
    const text = stringMapAt(namespace.metadata, 'annotations').get(annotation);
    if (text === undefined) return undefined;
    if (text === '') return [];
    const { value, error } = decodeEncodingJson(text, tolerationsType);
    if (error !== undefined) throw plainFailure(error);
    return Array.isArray(value) ? value.filter(isObject) : [];
  }
}
