import { readFileSync } from 'node:fs';
import { ruleCases } from './cases.ts';

interface Named {
  readonly name: string;
}

/** What test/recorders/legacy-rules lists. */
interface ReadByUpstream {
  readonly keys: readonly Named[];
  readonly fields: readonly Named[];
  readonly options: readonly Named[];
}

/** What needs no case here, by a part of the name. */
const explained: Readonly<Record<string, string>> = {
  'alpha.image-policy.k8s.io/': 'ImagePolicyWebhook is not served',
  'webhook.admission.k8s.io/': 'written to audit events by webhooks, which are not served',
  'validation.policy.admission.k8s.io/': 'written to audit events',
  'authentication.k8s.io/token-request-uid-mismatch': 'written to audit events',
  'authentication.kubernetes.io/issued-credential-id': 'written to audit events',
  'authentication.kubernetes.io/node-name': 'extra of a user, in test/conformance/series/claim-rights.ts',
  'scheduler.alpha.kubernetes.io/defaultTolerations': 'PodTolerationRestriction is not served',
  'scheduler.alpha.kubernetes.io/tolerationsWhitelist': 'PodTolerationRestriction is not served',
  'node.kubernetes.io/memory-pressure': 'PodTolerationRestriction is not served',
  'ingressclass.kubernetes.io/is-default-class': 'changes what others get; in test/integration/admission',
  'storageclass.kubernetes.io/is-default-class': 'changes what others get; in test/integration/admission',
  'storageclass.beta.kubernetes.io/is-default-class': 'changes what others get, as the one without beta',
  'kubernetes.io/limit-ranger': 'written by LimitRanger; in test/integration/admission',
  'kubernetes.io/os': 'a label of nodes, read by PodResize',
  'kubernetes.io/pv-protection': 'a finalizer that a plugin sets, which answers show',
  'kubernetes.io/pvc-protection': 'a finalizer that a plugin sets, which answers show',
  'kubernetes.io/vac-protection': 'a finalizer that a plugin sets, which answers show',
  'scheduling.k8s.io/podgroup-protection':
    'a finalizer of a kind that is off, in test/conformance/series/pod-groups.ts',
  'ipaddress.kubernetes.io/': 'labels that the server sets on its own objects',
  'pod-security.kubernetes.io/': 'the beginning of keys that have cases',
  'registry.k8s.io/pause': 'an image in examples',
  'non-convertible.kubernetes.io/': 'of a conversion between kinds that no request reaches',
  'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match': 'of a version that is not served',
  'v1beta1 ': 'of a version that is not served, or off',
  'FlockerVolumeSource.datasetName': 'in the cases of flocker volumes',
};

/** The names that no case gives values, and that are not explained. */
export function uncovered(): string[] {
  const file = new URL('gen/read-by-upstream.json', import.meta.url);
  const listed = JSON.parse(readFileSync(file, 'utf8')) as ReadByUpstream;
  const covered = new Set(ruleCases.flatMap(({ covers = [] }) => covers));
  return [...listed.keys, ...listed.fields, ...listed.options]
    .map(({ name }) => name)
    .filter((name) => !covered.has(name) && !Object.keys(explained).some((part) => name.includes(part)));
}
