import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { parseBool } from '#shared/apimachinery/text/parse-bool.ts';
import { namesSecrets } from '#shared/objects/pod-secrets.ts';
import { isMirrorPod, podSpec } from '#shared/objects/pod-spec.ts';
import { forbiddenInContainers, forbiddenSecret } from './secret-limits.ts';
import { mountToken } from './token-volume.ts';

const defaultName = 'default';
const enforceAnnotation = 'kubernetes.io/enforce-mountable-secrets';
/** A controller creates the default account shortly after a namespace; pods wait for it this many attempts. */
const attemptsForDefault = 10;

/**
 * Sets the service account of pods, which must exist, and adds its pull secrets and its token
 * (plugin/pkg/admission/serviceaccount).
 */
export class ServiceAccount implements AdmissionPlugin {
  readonly name = 'ServiceAccount';
  readonly #accounts: ObjectLister;
  readonly #retryMs: () => number;

  /** @param retryMs the time between two lookups of the default account */
  constructor(caches: ObjectCaches, retryMs: () => number = () => 100 + Math.random() * 100) {
    this.#accounts = new ObjectLister(caches, '', 'serviceaccounts');
    this.#retryMs = retryMs;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isPods(resource) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod } = attributes;
    if (pod === undefined || attributes.operation !== 'CREATE' || attributes.subresource !== '') return;
    if (isMirrorPod(pod)) return checkMirrorPod(attributes, pod);
    const spec = podSpec(pod);
    if (stringAt(spec, 'serviceAccountName') === '') spec['serviceAccountName'] = defaultName;
    // `serviceAccount` is a deprecated alias and always repeats `serviceAccountName`.
    spec['serviceAccount'] = stringAt(spec, 'serviceAccountName');
    const account = await this.#account(attributes, stringAt(spec, 'serviceAccountName'));
    if (booleanAt(spec, 'automountServiceAccountToken') ?? booleanAt(account, 'automountServiceAccountToken') ?? true)
      mountToken(spec);
    const pullSecrets = objectsAt(account, 'imagePullSecrets').map((reference) => ({
      name: stringAt(reference, 'name'),
    }));
    if (objectsAt(spec, 'imagePullSecrets').length === 0 && pullSecrets.length > 0)
      spec['imagePullSecrets'] = pullSecrets;
    checkSecrets(attributes, account, spec);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod, operation, subresource } = attributes;
    if (pod === undefined) return;
    if (operation === 'UPDATE' && subresource === 'ephemeralcontainers') return this.#checkEphemeral(attributes, pod);
    if (operation !== 'CREATE' || subresource !== '') return;
    if (isMirrorPod(pod)) return checkMirrorPod(attributes, pod);
    const spec = podSpec(pod);
    checkSecrets(attributes, await this.#account(attributes, requireName(attributes, spec)), spec);
  }

  async #checkEphemeral(attributes: AdmissionAttributes, pod: KubeObject): Promise<void> {
    const spec = podSpec(pod);
    const account = await this.#account(attributes, requireName(attributes, spec));
    if (!enforces(account)) return;
    const forbidden = forbiddenInContainers(account, objectsAt(spec, 'ephemeralContainers'), 'ephemeral container');
    if (forbidden !== undefined) throw refuseAdmission(attributes, forbidden);
  }

  async #account(attributes: AdmissionAttributes, name: string): Promise<KubeObject> {
    const attempts = name === defaultName ? attemptsForDefault : 1;
    const pauseMs = this.#retryMs();
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await sleep(pauseMs);
      const account = await this.#accounts.getFresh(attributes.namespace, name);
      if (account !== undefined) return account;
    }
    throw refuseAdmission(
      attributes,
      `error looking up service account ${attributes.namespace}/${name}: serviceaccount ${goQuote(name)} not found`,
    );
  }
}

function requireName(attributes: AdmissionAttributes, spec: JsonObject): string {
  const name = stringAt(spec, 'serviceAccountName');
  if (name === '')
    throw refuseAdmission(
      attributes,
      `no service account specified for pod ${attributes.namespace}/${attributes.name}`,
    );
  return name;
}

function enforces(account: KubeObject): boolean {
  return parseBool(stringAt(account.metadata, 'annotations', enforceAnnotation)) === true;
}

function checkSecrets(attributes: AdmissionAttributes, account: KubeObject, spec: JsonObject): void {
  const forbidden = enforces(account) ? forbiddenSecret(account, spec) : undefined;
  if (forbidden !== undefined) throw refuseAdmission(attributes, forbidden);
}

/** Refuses a mirror pod with a service account or secrets, which its static pod cannot have. */
function checkMirrorPod(attributes: AdmissionAttributes, pod: KubeObject): void {
  const spec = podSpec(pod);
  if (stringAt(spec, 'serviceAccountName') !== '')
    throw refuseAdmission(attributes, 'a mirror pod may not reference service accounts');
  if (namesSecrets(spec)) throw refuseAdmission(attributes, 'a mirror pod may not reference secrets');
  const projects = objectsAt(spec, 'volumes').some((volume) =>
    objectsAt(volume, 'projected', 'sources').some((source) => source['serviceAccountToken'] !== undefined),
  );
  if (projects) throw refuseAdmission(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
}
