import { appArmorWarnings } from '#servers/core/apis/core/pods/validation/app-armor.ts';
import { podVolumeWarnings } from '#servers/core/apis/core/volumes/warnings/volumes.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { addressWarnings } from '#servers/core/warnings/addresses.ts';
import { firstWarnings } from '#servers/core/warnings/first-warnings.ts';
import { fractionWarnings } from '#servers/core/warnings/fractions.ts';
import { childOf, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { byteResources, containerWarnings } from './containers.ts';
import { PortWarnings } from './ports.ts';
import { nodeChoiceWarnings, podAffinityWarnings } from './scheduling.ts';

const deprecatedAnnotations: readonly (readonly [key: string, text: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompOfContainer = 'container.seccomp.security.alpha.kubernetes.io/';
const seccompText = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/**
 * Warnings about a pod, or about the pod template at `field`, in the reference's words and order
 * (pkg/api/pod/warnings.go).
 */
export function podWarnings(pod: JsonObject, gates: Gates, field: Path | undefined): string[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const at = childOf(field, 'spec');
  const annotations = objectAt(pod, 'metadata', 'annotations') ?? {};
  const annotationsField = childOf(field, 'metadata').child('annotations');
  const annotated = (key: string, text: string): string[] =>
    getKey(annotations, key) === undefined ? [] : [`${annotationsField.key(key).toString()}: ${text}`];
  const [aliases, secrets] = [objectsAt(spec, 'hostAliases'), objectsAt(spec, 'imagePullSecrets')];
  const grace = int64At(spec, 'terminationGracePeriodSeconds') ?? 0;
  return [
    ...nodeChoiceWarnings(spec, at),
    ...deprecatedAnnotations.flatMap(([key, text]) => annotated(key, text)),
    ...podVolumeWarnings(spec, gates, at),
    ...duplicates(aliases, 'ip', at, 'hostAliases'),
    ...duplicates(secrets, 'name', at, 'imagePullSecrets'),
    ...firstWarnings(secrets, (secret, index) =>
      stringAt(secret, 'name') === ''
        ? [`${at.child('imagePullSecrets').index(index).child('name').toString()}: invalid empty name ""`]
        : [],
    ),
    ...fractionWarnings(objectAt(spec, 'overhead'), byteResources, at, 'overhead'),
    ...(objectAt(spec, 'securityContext', 'seccompProfile') ? [] : annotated(seccompOfPod, seccompText)),
    ...eachContainer(spec, at, (container) => [
      ...(objectAt(container, 'securityContext', 'seccompProfile')
        ? []
        : annotated(seccompOfContainer + stringAt(container, 'name'), seccompText)),
      // Pods get this warning when their annotations are copied into the fields.
      ...(field === undefined ? [] : appArmorWarnings(container, spec, annotations, annotationsField)),
    ]),
    ...(grace < 0
      ? [
          `${at.child('terminationGracePeriodSeconds').toString()}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...podAffinityWarnings(spec, at),
    ...firstWarnings(stringsAt(spec, 'dnsConfig', 'nameservers'), (address, index) =>
      addressWarnings(address, at.child('dnsConfig', 'nameservers').index(index)),
    ),
    ...firstWarnings(aliases, (alias, index) =>
      addressWarnings(stringAt(alias, 'ip'), at.child('hostAliases').index(index).child('ip')),
    ),
  ];
}

/** For each container the warnings of `annotated` and those about the container; then those about all ports. */
function eachContainer(
  spec: JsonObject,
  field: Path,
  annotated: (container: JsonObject) => readonly string[],
): string[] {
  const warnings: string[] = [];
  const ports = new PortWarnings();
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const [index, container] of objectsAt(spec, list).entries()) {
      const at = field.child(list).index(index);
      warnings.push(...annotated(container), ...containerWarnings(container, at));
      ports.add(container, at);
    }
  }
  return [...warnings, ...ports.texts];
}

function duplicates(items: readonly JsonObject[], key: string, field: Path, list: string): string[] {
  if (items.length < 2) return [];
  const seen = new Set<string>();
  return firstWarnings(items, (item, index) => {
    const value = stringAt(item, key);
    if (seen.has(value))
      return [`${field.child(list).index(index).child(key).toString()}: duplicate ${key} ${goQuote(value)}`];
    seen.add(value);
    return [];
  });
}
