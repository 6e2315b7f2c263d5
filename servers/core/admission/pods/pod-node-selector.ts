import type { PodNodeSelectorConfiguration } from '#shared/admission/configuration/pod-node-selector-configuration.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { newForbidden, plainFailure } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';
import { labelsOfText } from './node-selector-text.ts';
import { namespaceOf } from './pod-namespace.ts';

type Labels = ReadonlyMap<string, string>;

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
const defaultKey = 'clusterDefaultNodeSelector';

/**
 * Adds the node selector of the namespace to its pods, and refuses pods whose own selector contradicts it or is not
 * allowed there (plugin/pkg/admission/podnodeselector).
 */
export class PodNodeSelector implements AdmissionPlugin {
  readonly name = 'PodNodeSelector';
  readonly #namespaces: ObjectLister;
  readonly #configured: PodNodeSelectorConfiguration;

  constructor(caches: ObjectCaches, configured: PodNodeSelectorConfiguration = new Map()) {
    this.#namespaces = new ObjectLister(caches, '', 'namespaces');
    this.#configured = configured;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && isPods(resource);
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod, subresource, namespace } = attributes;
    if (pod === undefined || subresource !== '') return;
    const wanted = await this.#selectorOf(namespace);
    const own = selectorOfPod(pod);
    refuseConflict(pod, wanted, own);
    if (wanted.size > 0) setSelector(pod, new Map([...wanted, ...own]));
    this.#refuseUnlisted(pod, namespace);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod, subresource, namespace } = attributes;
    if (pod === undefined || subresource !== '') return;
    refuseConflict(pod, await this.#selectorOf(namespace), selectorOfPod(pod));
    this.#refuseUnlisted(pod, namespace);
  }

  /** The namespace's annotation, or the cluster's default. */
  async #selectorOf(name: string): Promise<Labels> {
    const namespace = await namespaceOf(this.#namespaces, name);
    const said = stringMapAt(namespace.metadata, 'annotations').get(annotation);
    return readLabels(said ?? this.#configured.get(defaultKey) ?? '');
  }

  #refuseUnlisted(pod: KubeObject, namespace: string): void {
    const allowed = readLabels(this.#configured.get(namespace) ?? '');
    if (allowed.size === 0 || [...selectorOfPod(pod)].every(([key, value]) => allowed.get(key) === value)) return;
    throw refusal(pod, 'pod node label selector labels conflict with its namespace whitelist');
  }
}

function readLabels(text: string): Labels {
  try {
    return labelsOfText(text);
  } catch (error) {
    throw plainFailure((error as Error).message);
  }
}

function selectorOfPod(pod: KubeObject): Labels {
  return stringMapAt(podSpec(pod), 'nodeSelector');
}

function setSelector(pod: KubeObject, labels: Labels): void {
  const selector: JsonObject = {};
  for (const [key, value] of [...labels].sort(([a], [b]) => compareUtf8(a, b))) setKey(selector, key, value);
  podSpec(pod)['nodeSelector'] = selector;
}

function refuseConflict(pod: KubeObject, wanted: Labels, own: Labels): void {
  if ([...wanted].some(([key, value]) => own.has(key) && own.get(key) !== value))
    throw refusal(pod, 'pod node label selector conflicts with its namespace node label selector');
}

function refusal(pod: KubeObject, message: string): Error {
  return newForbidden({ group: '', resource: 'pods' }, pod.metadata.name ?? '', message);
}
