import {
  readPodSecurityConfiguration,
  type LevelVersion,
  type PodSecurityConfiguration,
} from '#shared/admission/configuration/pod-security-configuration.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isCore, isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { aggregateText } from '#shared/apimachinery/errors/field-error.ts';
import { newForbidden, newInternalError, newInvalid, type StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupResource, type GroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { warningsOfPods } from './existing-pods.ts';
import { countError, countVerdict, countExemption } from './pod-security-metrics.ts';
import { printViolations, violationsOf } from './policy-checks.ts';
import {
  exemptionWarning,
  formatLevelVersion,
  isStricter,
  namespacePolicy,
  sameLevelVersion,
  type NamespacePolicy,
} from './policy-level.ts';

const auditPrefix = 'pod-security.kubernetes.io/';

/** The path of the pod template in each kind of workload. */
const templates: ReadonlyMap<string, readonly string[]> = new Map([
  ['podtemplates', ['template']],
  ['replicationcontrollers', ['spec', 'template']],
  ['replicasets.apps', ['spec', 'template']],
  ['deployments.apps', ['spec', 'template']],
  ['statefulsets.apps', ['spec', 'template']],
  ['daemonsets.apps', ['spec', 'template']],
  ['jobs.batch', ['spec', 'template']],
  ['cronjobs.batch', ['spec', 'jobTemplate', 'spec', 'template']],
]);
/** Subresources that do not change the pod's containers. */
const harmless: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

/**
 * Enforces the level that the labels of a namespace or the configuration's defaults set for its pods; workloads only
 * get warnings (pod-security-admission).
 */
export class PodSecurity implements AdmissionPlugin {
  readonly name = 'PodSecurity';
  readonly #namespaces: ObjectLister;
  readonly #pods: ObjectCaches;
  readonly #configuration: PodSecurityConfiguration;

  constructor(caches: ObjectCaches, configuration: PodSecurityConfiguration = readPodSecurityConfiguration(undefined)) {
    this.#namespaces = new ObjectLister(caches, '', 'namespaces');
    this.#pods = caches;
    this.#configuration = configuration;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    return isPods(resource) || isCore(resource, 'namespaces') || templates.has(formatGroupResource(resource));
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, resource, subresource } = attributes;
    if (object === undefined) return;
    if (isCore(resource, 'namespaces')) return this.#judgeNamespace(attributes, object);
    if (isPods(resource)) return harmless.has(subresource) ? undefined : this.#judgePod(attributes, object);
    if (subresource === '') await this.#judgeWorkload(attributes, object);
  }

  async #judgeNamespace(attributes: AdmissionAttributes, namespace: KubeObject): Promise<void> {
    const { operation, oldObject, subresource, kind } = attributes;
    if (subresource !== '') return;
    const policy = this.#policyOf(namespace);
    const before = operation === 'UPDATE' && oldObject !== undefined ? this.#policyOf(oldObject) : undefined;
    const isNews = before === undefined || aggregateText(before.errors) !== aggregateText(policy.errors);
    if (policy.errors.length > 0 && isNews)
      throw newInvalid(
        { group: kind.group, kind: kind.kind },
        attributes.name || namespace.metadata.name || '',
        policy.errors,
      );
    if (before !== undefined && !tightens(policy.enforce, before.enforce)) return;
    const name = namespace.metadata.name ?? '';
    if (this.#configuration.exemptNamespaces.has(name)) {
      const warning = exemptionWarning(namespace, policy, this.#configuration.defaults);
      if (warning !== undefined) attributes.addWarning(warning);
      return;
    }
    if (before === undefined) return;
    for (const warning of warningsOfPods(name, await this.#podsOf(name), policy.enforce))
      attributes.addWarning(warning);
  }

  async #judgePod(attributes: AdmissionAttributes, pod: KubeObject): Promise<void> {
    if (this.#isExempt(attributes)) return;
    const namespace = await this.#namespaces.getFresh('', attributes.namespace);
    if (namespace === undefined) {
      countError(true, attributes);
      throw newInternalError(`failed to lookup namespace ${goQuote(attributes.namespace)}`);
    }
    const policy = this.#policyOf(namespace);
    if (
      policy.errors.length === 0 &&
      [policy.enforce, policy.audit, policy.warn].every(({ level }) => level === 'privileged')
    ) {
      countVerdict('allow', 'enforce', policy.enforce, attributes);
      attributes.addAuditAnnotation(`${auditPrefix}enforce-policy`, 'privileged:latest');
      return;
    }
    if (attributes.oldObject !== undefined && !runsSomethingElse(pod, attributes.oldObject)) return;
    this.#judge(attributes, policy, objectAt(pod, 'spec') ?? {}, pod, true);
  }

  async #judgeWorkload(attributes: AdmissionAttributes, workload: KubeObject): Promise<void> {
    if (this.#isExempt(attributes)) return;
    const namespace = await this.#namespaces.getFresh('', attributes.namespace);
    const template = objectAt(workload, ...(templates.get(formatGroupResource(attributes.resource)) ?? []));
    if (namespace === undefined) countError(true, attributes);
    if (namespace === undefined || template === undefined) return;
    const policy = this.#policyOf(namespace);
    if (policy.errors.length === 0 && policy.warn.level === 'privileged' && policy.audit.level === 'privileged') return;
    this.#judge(attributes, policy, objectAt(template, 'spec') ?? {}, asKubeObject({ ...template }), false);
  }

  #policyOf(namespace: KubeObject): NamespacePolicy {
    return namespacePolicy(namespace, this.#configuration.defaults);
  }

  /** Whether the namespace or the user is exempt. */
  #isExempt(attributes: AdmissionAttributes): boolean {
    const { exemptNamespaces, exemptUsers } = this.#configuration;
    const reason = exemptNamespaces.has(attributes.namespace)
      ? 'namespace'
      : exemptUsers.has(attributes.user.name)
        ? 'user'
        : undefined;
    if (reason !== undefined) exempt(attributes, reason);
    return reason !== undefined;
  }

  #judge(
    attributes: AdmissionAttributes,
    policy: NamespacePolicy,
    spec: JsonObject,
    holder: KubeObject,
    enforces: boolean,
  ): void {
    if (this.#hasExemptClass(spec)) exempt(attributes, 'runtimeClass');
    else judge(attributes, policy, spec, holder, enforces);
  }

  #hasExemptClass(spec: JsonObject | undefined): boolean {
    return this.#configuration.exemptRuntimeClasses.has(stringAt(spec, 'runtimeClassName'));
  }

  async #podsOf(namespace: string): Promise<KubeObject[]> {
    const cache = this.#pods.cache('', 'pods');
    await cache.ready();
    return [...cache.snapshot().entries(`/pods/${namespace}/`)]
      .map((entry) => this.#pods.parse(entry))
      .filter((pod) => !this.#hasExemptClass(objectAt(pod, 'spec')));
  }
}

function exempt(attributes: AdmissionAttributes, reason: 'namespace' | 'user' | 'runtimeClass'): void {
  countExemption(attributes);
  attributes.addAuditAnnotation(`${auditPrefix}exempt`, reason);
}

/** Whether pods that the old level allowed may violate the new one. */
function tightens(now: LevelVersion, before: LevelVersion): boolean {
  if (sameLevelVersion(now, before) || now.level === 'privileged') return false;
  return now.minor !== before.minor || isStricter(now.level, before.level);
}

/** Refuses what the enforced level forbids, then adds audit annotations and warnings for the other two levels. */
function judge(
  attributes: AdmissionAttributes,
  policy: NamespacePolicy,
  spec: JsonObject,
  { metadata }: KubeObject,
  enforces: boolean,
): void {
  const found = (mode: LevelVersion): string => printViolations(violationsOf(mode, spec, metadata));
  const would = (mode: LevelVersion, violations: string): string =>
    `would violate PodSecurity ${goQuote(formatLevelVersion(mode))}: ${violations}`;
  if (policy.errors.length > 0) {
    countError(false, attributes);
    attributes.addAuditAnnotation(`${auditPrefix}error`, `Failed to parse policy: ${aggregateText(policy.errors)}`);
  }
  const audited = found(policy.audit);
  if (audited !== '') {
    countVerdict('deny', 'audit', policy.audit, attributes);
    attributes.addAuditAnnotation(`${auditPrefix}audit-violations`, would(policy.audit, audited));
  }
  if (enforces) {
    attributes.addAuditAnnotation(`${auditPrefix}enforce-policy`, formatLevelVersion(policy.enforce));
    const violations = found(policy.enforce);
    countVerdict(violations === '' ? 'allow' : 'deny', 'enforce', policy.enforce, attributes);
    if (violations !== '')
      throw refuse(attributes, `violates PodSecurity ${goQuote(formatLevelVersion(policy.enforce))}: ${violations}`);
  }
  const warned = found(policy.warn);
  if (warned === '') return;
  countVerdict('deny', 'warn', policy.warn, attributes);
  attributes.addWarning(would(policy.warn, warned));
}

/** A 403. The message has the object's name from the request, which is empty if the name is still to be generated. */
function refuse({ name, resource: { group, resource } }: AdmissionAttributes, message: string): StatusError {
  return newForbidden({ group, resource }, name, message);
}

function runsSomethingElse(pod: KubeObject, old: KubeObject): boolean {
  const [now, before] = [objectAt(pod, 'spec'), objectAt(old, 'spec')];
  const imagesOf = (spec: JsonObject | undefined, list: string): string =>
    JSON.stringify(objectsAt(spec, list).map((container) => stringAt(container, 'image')));
  if (['containers', 'initContainers'].some((list) => imagesOf(now, list) !== imagesOf(before, list))) return true;
  const debugged = new Map(
    objectsAt(before, 'ephemeralContainers').map((container) => [
      stringAt(container, 'name'),
      stringAt(container, 'image'),
    ]),
  );
  return objectsAt(now, 'ephemeralContainers').some(
    (container) => debugged.get(stringAt(container, 'name')) !== stringAt(container, 'image'),
  );
}
