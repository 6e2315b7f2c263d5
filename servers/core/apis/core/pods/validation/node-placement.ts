import { goForm } from '#servers/core/validation/go-form.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringMapAt } from '#shared/apimachinery/object.ts';
import { printable } from '#shared/apimachinery/selectors/validate-label-selector.ts';

const termModel = 'io.k8s.api.core.v1.NodeSelectorTerm';

/** Copies a member from another object; removes it if the other object does not have it. */
export function copyMember(target: JsonObject, source: JsonObject | undefined, key: string): void {
  const value = getKey(source, key);
  if (value === undefined) delete target[key];
  else setKey(target, key, value);
}

/** Copies the node affinity of another spec into this one, and keeps the affinity to pods. */
export function copyNodeAffinity(target: JsonObject, source: JsonObject): void {
  const [own, other] = [objectAt(target, 'affinity'), objectAt(source, 'affinity')];
  const { nodeAffinity: _own, ...affinity } = own ?? {};
  copyMember(affinity, other, 'nodeAffinity');
  // An affinity that became empty is removed if the other spec has none.
  copyMember(target, other === undefined && Object.keys(affinity).length === 0 ? {} : { affinity }, 'affinity');
}

/** Copies node selector and node affinity from another spec; a pod with scheduling gates may change them. */
export function copyPlacement(target: JsonObject, source: JsonObject): void {
  copyMember(target, source, 'nodeSelector');
  if (!sameAs('io.k8s.api.core.v1.NodeAffinity', nodeAffinityOf(target), nodeAffinityOf(source)))
    copyNodeAffinity(target, source);
}

/**
 * The node selector and node affinity of a pod with scheduling gates may become stricter, but not looser
 * (pkg/apis/core/validation, KEP-3838). `field` is the path of the pod's spec.
 */
export function validatePlacementChange(spec: JsonObject, before: JsonObject, field: Path): FieldError[] {
  return [
    ...validateNodeSelectorChange(spec, before, field.child('nodeSelector')),
    ...validateNodeAffinityChange(
      nodeAffinityOf(spec),
      nodeAffinityOf(before),
      field.child('affinity', 'nodeAffinity'),
    ),
  ];
}

function nodeAffinityOf(spec: JsonObject): JsonObject | undefined {
  return objectAt(spec, 'affinity', 'nodeAffinity');
}

function validateNodeSelectorChange(spec: JsonObject, before: JsonObject, field: Path): FieldError[] {
  const [now, then] = [stringMapAt(spec, 'nodeSelector'), stringMapAt(before, 'nodeSelector')];
  const kept = [...then].every(([key, value]) => now.get(key) === value);
  return kept
    ? []
    : [
        invalid(
          field,
          printable(objectAt(spec, 'nodeSelector')),
          'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
        ),
      ];
}

function validateNodeAffinityChange(
  now: JsonObject | undefined,
  then: JsonObject | undefined,
  field: Path,
): FieldError[] {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const [terms, before] = [now, then].map((affinity) => objectsAt(affinity, required, 'nodeSelectorTerms')) as [
    JsonObject[],
    JsonObject[],
  ];
  if (before.length === 0 || sameAs('io.k8s.api.core.v1.NodeAffinity', now, then)) return [];
  const at = field.child(required, 'nodeSelectorTerms');
  const shown = terms.map((term) => goForm(termModel, term));
  if (terms.length !== before.length)
    return [
      invalid(
        at,
        shown.length === 0 ? null : shown,
        'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
      ),
    ];
  return terms.flatMap((term, index) =>
    hasOnlyAdditions(term, before[index] ?? {})
      ? []
      : [invalid(at.index(index), shown[index] ?? null, 'only additions are allowed (no mutations or deletions)')],
  );
}

/** Whether a term only gained requirements. An empty term selects no node, so adding to it would select more. */
function hasOnlyAdditions(term: JsonObject, before: JsonObject): boolean {
  const lists = ['matchExpressions', 'matchFields'];
  if (lists.every((list) => objectsAt(before, list).length === 0))
    return lists.every((list) => objectsAt(term, list).length === 0);
  return lists.every((list) => {
    const kept = objectsAt(before, list);
    return sameAs(termModel, { [list]: objectsAt(term, list).slice(0, kept.length) }, { [list]: [...kept] });
  });
}
