import type { Path } from '../../../shared/apimachinery/field-error.ts';
import { goQuote } from '../../../shared/apimachinery/go-format.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../shared/apimachinery/object.ts';

// Warnings about pods and templates of pods, in the reference's words (pkg/api/pod/warnings.go).

/** Sources of volumes whose driver is gone from the tree, or goes. */
const goneDrivers: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** Of a pod spec that lies at `field`. */
export function podSpecWarnings(spec: JsonObject, field: Path): string[] {
  const grace = numberAt(spec, 'terminationGracePeriodSeconds');
  return [
    ...objectsAt(spec, 'topologySpreadConstraints').flatMap((constraint, index) => withoutSelector(constraint, field.child('topologySpreadConstraints').index(index))),
    ...volumeWarnings(objectsAt(spec, 'volumes'), field.child('volumes')),
    ...duplicates(objectsAt(spec, 'hostAliases'), 'ip', field.child('hostAliases')),
    ...duplicates(objectsAt(spec, 'imagePullSecrets'), 'name', field.child('imagePullSecrets')),
    ...objectsAt(spec, 'imagePullSecrets').flatMap((secret, index) => (stringAt(secret, 'name') === '' ? [`${field.child('imagePullSecrets').index(index).child('name').toString()}: invalid empty name ""`] : [])),
    ...fractionWarnings(objectAt(spec, 'overhead'), bytes, field.child('overhead')),
    ...['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list).flatMap((container, index) => containerWarnings(container, field.child(list).index(index)))),
    ...(grace !== undefined && grace < 0 ? [`${field.child('terminationGracePeriodSeconds').toString()}: must be >= 0; negative values are invalid and will be treated as 1`] : []),
    ...['podAffinity', 'podAntiAffinity'].flatMap((kind) => affinityWarnings(objectAt(spec, 'affinity', kind), field.child('affinity').child(kind))),
  ];
}

function affinityWarnings(affinity: JsonObject | undefined, field: Path): string[] {
  const [required, preferred] = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution'] as const;
  return [
    ...objectsAt(affinity, required).flatMap((term, index) => withoutSelector(term, field.child(required).index(index))),
    ...objectsAt(affinity, preferred).flatMap((term, index) => withoutSelector(objectAt(term, 'podAffinityTerm'), field.child(preferred).index(index).child('podAffinityTerm'))),
  ];
}

function withoutSelector(term: JsonObject | undefined, field: Path): string[] {
  return objectAt(term, 'labelSelector') === undefined ? [`${field.child('labelSelector').toString()}: a null labelSelector results in matching no pod`] : [];
}

function volumeWarnings(volumes: readonly JsonObject[], field: Path): string[] {
  const gone = volumes.flatMap((volume, index) =>
    Object.entries(goneDrivers).filter(([name]) => objectAt(volume, name)).map(([name, text]) => `${field.index(index).child(name === 'storageos' ? 'storageOS' : name).toString()}: ${text}`));
  const unfilled = volumes.filter((volume) => objectsAt(volume, 'projected', 'sources').some((source) => Object.values(source).every((part) => part === null)));
  return [...gone, ...unfilled.map((volume) => `volume ${goQuote(stringAt(volume, 'name'))} (Projected) has no sources provided`)];
}

function duplicates(items: readonly JsonObject[], key: string, field: Path): string[] {
  const values = items.map((item) => stringAt(item, key));
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [`${field.index(index).child(key).toString()}: duplicate ${key} ${goQuote(value)}`] : []));
}

/** Of amounts in bytes, which are whole. */
export function fractionWarnings(amounts: JsonObject | undefined, names: readonly string[], field: Path): string[] {
  return names.flatMap((name) => {
    const amount = stringAt(amounts, name);
    return amount !== '' && isFraction(amount) ? [`${field.key(name).toString()}: fractional byte value ${goQuote(amount)} is invalid, must be an integer`] : [];
  });
}

function isFraction(amount: string): boolean {
  const milli = /^[+-]?(\d+)m$/.exec(amount)?.[1];
  return milli === undefined ? /^[+-]?\d+[un]$/.test(amount) : Number(milli) % 1000 !== 0;
}

const bytes = ['memory', 'ephemeral-storage'];

function containerWarnings(container: JsonObject, field: Path): string[] {
  const [resources, at] = [objectAt(container, 'resources'), field.child('resources')];
  return [
    ...fractionWarnings(objectAt(resources, 'limits'), bytes, at.child('limits')),
    ...fractionWarnings(objectAt(resources, 'requests'), bytes, at.child('requests')),
    ...hiddenVariables(objectsAt(container, 'env'), field.child('env')),
    ...objectsAt(container, 'ports').flatMap((port, index) => {
      const [hostIp, hostPort] = [stringAt(port, 'hostIP'), numberAt(port, 'hostPort') ?? 0];
      if (hostIp === '' || hostPort !== 0) return [];
      const shown = `{Name:${stringAt(port, 'name')} HostPort:0 ContainerPort:${numberAt(port, 'containerPort') ?? 0} Protocol:${stringAt(port, 'protocol')} HostIP:${hostIp}}`;
      return [`${field.child('ports').index(index).toString()}: hostIP set without hostPort: ${shown}`];
    }),
  ];
}

/** A variable may be defined again with its own former value only. */
function hiddenVariables(variables: readonly JsonObject[], field: Path): string[] {
  const seen = new Set<string>();
  return variables.flatMap((variable, index) => {
    const [name, value] = [stringAt(variable, 'name'), stringAt(variable, 'value')];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const reference = `$(${name})`;
    const hides = objectAt(variable, 'valueFrom') !== undefined || value === reference || !value.includes(reference);
    return hides ? [`${field.index(index).toString()}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`] : [];
  });
}
