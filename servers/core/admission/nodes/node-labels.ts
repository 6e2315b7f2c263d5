import { stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';

/** Labels of Kubernetes that kubelets set on their own node (kubelet/pkg/apis/well_known_labels.go). */
const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'node.kubernetes.io/instance-type',
  'node.kubernetes.io/windows-build',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const kubeletNamespaces = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const reserved = 'node-restriction.kubernetes.io';

/** The labels that a kubelet changed but is not allowed to change, sorted. */
export function forbiddenLabelChanges(node: KubeObject, old: KubeObject | undefined): string[] {
  const [now, before] = [stringMapAt(node.metadata, 'labels'), stringMapAt(old?.metadata, 'labels')];
  const changed = [...new Set([...now.keys(), ...before.keys()])].filter(
    (label) => now.get(label) !== before.get(label),
  );
  return changed.filter((label) => isForbidden(label)).sort(compareUtf8);
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const namespace = slash < 0 ? '' : label.slice(0, slash);
  if (isWithin(namespace, reserved)) return true;
  const isKubernetes = isWithin(namespace, 'kubernetes.io') || isWithin(namespace, 'k8s.io');
  return isKubernetes && !kubeletLabels.has(label) && !kubeletNamespaces.some((own) => isWithin(namespace, own));
}

function isWithin(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.endsWith(`.${domain}`);
}
