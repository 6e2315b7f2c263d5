import { sameAs } from '../../../../../../shared/api/same-by-type.ts';
import { invalid, type FieldError, type Path } from '../../../../../../shared/apimachinery/field-error.ts';
import { getKey, setKey } from '../../../../../../shared/apimachinery/json.ts';
import type { JsonObject } from '../../../../../../shared/apimachinery/json.ts';
import { objectAt, objectsAt, stringMapAt } from '../../../../../../shared/apimachinery/object.ts';
import { goForm } from '../../../../validation/go-form.ts';
import { printable } from '../../../../validation/label-selector.ts';

const termModel = 'io.k8s.api.core.v1.NodeSelectorTerm';

/** Makes a member what it is in another object, absent where it is absent there. */
export function takeMember(target: JsonObject, source: JsonObject | undefined, key: string): void {
  const value = getKey(source, key);
  if (value === undefined) delete target[key];
  else setKey(target, key, value);
}

/** Copies the node affinity of another spec into this one; affinity to pods stays. */
export function takeNodeAffinity(target: JsonObject, source: JsonObject): void {
  const [own, other] = [objectAt(target, 'affinity'), objectAt(source, 'affinity')];
  const { nodeAffinity: _own, ...affinity } = own ?? {};
  takeMember(affinity, other, 'nodeAffinity');
  // An affinity that became empty is removed if the other spec has none.
  takeMember(target, other === undefined && Object.keys(affinity).length === 0 ? {} : { affinity }, 'affinity');
}

/** Takes where a pod may be placed, which one that waits for its gates may change, from another spec. */
export function takePlacement(target: JsonObject, source: JsonObject): void {
  takeMember(target, source, 'nodeSelector');
  if (!sameAs('io.k8s.api.core.v1.NodeAffinity', nodeAffinityOf(target), nodeAffinityOf(source)))
    takeNodeAffinity(target, source);
}

/**
 * Where a pod that waits for its scheduling gates may be placed can be narrowed, not widened
 * (pkg/apis/core/validation, KEP-3838). `field` is that of the pod's spec.
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

/** A term without requirements selects nothing, so that one more would widen it. */
function hasOnlyAdditions(term: JsonObject, before: JsonObject): boolean {
  const lists = ['matchExpressions', 'matchFields'];
  if (lists.every((list) => objectsAt(before, list).length === 0))
    return lists.every((list) => objectsAt(term, list).length === 0);
  return lists.every((list) => {
    const kept = objectsAt(before, list);
    return sameAs(termModel, { [list]: objectsAt(term, list).slice(0, kept.length) }, { [list]: [...kept] });
  });
}
