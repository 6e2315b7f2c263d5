import { firstWarnings } from '#servers/core/warnings/first-warnings.ts';
import { nodeLabelWarnings, nodeSelectorTermWarnings } from '#servers/core/warnings/node-labels.ts';
import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';

// Warnings about the scheduling rules of pods (pkg/api/pod/warnings.go).

const [required, preferred] = [
  'requiredDuringSchedulingIgnoredDuringExecution',
  'preferredDuringSchedulingIgnoredDuringExecution',
] as const;

/** Warnings about the node selector and node affinity of a pod spec. */
export function nodeChoiceWarnings(spec: JsonObject, field: Path): string[] {
  const [selector, affinity] = [objectAt(spec, 'nodeSelector'), objectAt(spec, 'affinity', 'nodeAffinity')];
  return [
    ...(selector
      ? nodeLabelWarnings(
          Object.keys(selector),
          (text, label) => `${field.child('nodeSelector').key(label).toString()}: ${text}`,
        )
      : []),
    ...(affinity ? nodeAffinityWarnings(affinity, field.child('affinity', 'nodeAffinity')) : []),
    ...firstWarnings(objectsAt(spec, 'topologySpreadConstraints'), (constraint, index) =>
      spreadWarnings(constraint, field.child('topologySpreadConstraints').index(index)),
    ),
  ];
}

function nodeAffinityWarnings(affinity: JsonObject, at: Path): string[] {
  return [
    ...firstWarnings(objectsAt(affinity, required, 'nodeSelectorTerms'), (term, index) =>
      nodeSelectorTermWarnings(term, at.child(required, 'nodeSelectorTerms').index(index), false),
    ),
    ...firstWarnings(objectsAt(affinity, preferred), (term, index) =>
      nodeSelectorTermWarnings(
        objectAt(term, 'preference'),
        at.child(preferred).index(index).child('preference'),
        true,
      ),
    ),
  ];
}

function spreadWarnings(constraint: JsonObject, field: Path): string[] {
  return [
    ...nodeLabelWarnings(
      [stringAt(constraint, 'topologyKey')],
      (text, label) => `${field.child('topologyKey').toString()}: ${label} is ${text}`,
    ),
    ...selectorWarnings(constraint, field),
  ];
}

/** Warnings about the pod affinity and anti-affinity of a pod spec. */
export function podAffinityWarnings(spec: JsonObject, field: Path): string[] {
  const affinity = objectAt(spec, 'affinity');
  if (affinity === undefined) return [];
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const at = field.child('affinity', kind);
    return [
      ...firstWarnings(objectsAt(affinity, kind, required), (term, index) =>
        selectorWarnings(term, at.child(required).index(index)),
      ),
      ...firstWarnings(objectsAt(affinity, kind, preferred), (term, index) =>
        selectorWarnings(objectAt(term, 'podAffinityTerm'), at.child(preferred).index(index).child('podAffinityTerm')),
      ),
    ];
  });
}

function selectorWarnings(term: JsonObject | undefined, field: Path): string[] {
  return objectAt(term, 'labelSelector') === undefined
    ? [`${field.child('labelSelector').toString()}: a null labelSelector results in matching no pod`]
    : [];
}
