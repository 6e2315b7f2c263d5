import type { GateName } from '#shared/api/feature-gates.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Gates } from './gates.ts';

/** Fields that are stored only if their feature is on, or if the old object already uses it. */
export interface GatedFields {
  /** The feature is on when all of them are. */
  readonly gates: readonly [GateName, ...GateName[]];
  /**
   * Paths from the root, with dots between members; `[]` means every item of a list, `{}` every value of a map.
   */
  readonly fields: readonly string[];
  /** The old object used the feature if it has one of these paths. Default: `fields`. */
  readonly usedBy?: readonly string[];
  /** The field is in the status. It is removed only in writes of the whole object, as in the reference. */
  readonly keptInStatus?: true;
  /** Parents that become empty are removed too, up to the nearest item of a list. */
  readonly emptyParentsGo?: true;
  /** The field's default in objects that are read; it replaces a value that is removed. */
  readonly readAs?: JsonValue;
}

/** Removes disabled fields from a new object, in place; `old` is the object that it replaces. */
export type DropDisabled = (object: JsonObject | undefined, old: JsonObject | undefined) => void;

type Step = string;

/** A tree of the paths, so that each part of an object is visited once. */
interface Branch {
  readonly branches: Map<Step, Branch>;
  rule?: GatedFields;
}

function stepsOf(field: string): Step[] {
  return field
    .split('.')
    .flatMap((part) =>
      part.endsWith('[]') ? [part.slice(0, -2), '[]'] : part.endsWith('{}') ? [part.slice(0, -2), '{}'] : [part],
    );
}

function treeOf(rules: readonly GatedFields[]): Branch {
  const root: Branch = { branches: new Map() };
  for (const rule of rules) {
    for (const field of rule.fields) {
      let at = root;
      for (const step of stepsOf(field)) {
        const next: Branch = at.branches.get(step) ?? { branches: new Map() };
        at.branches.set(step, next);
        at = next;
      }
      at.rule = rule;
    }
  }
  return root;
}

/** Undefined if none of the fields is disabled (the pattern of dropDisabledFields in pkg/registry and pkg/api). */
export function dropDisabledFields(table: readonly GatedFields[], gates: Gates): DropDisabled | undefined {
  const rules = table.filter((rule) => !rule.gates.every((gate) => gates[gate]));
  if (rules.length === 0) return undefined;
  const tree = treeOf(rules);
  return (object, old) => {
    if (object === undefined) return;
    const met = new Set<GatedFields>();
    meet(tree, object, met);
    // Most objects have none of the fields, so this set is small.
    for (const rule of met) {
      if (old !== undefined && (rule.usedBy ?? rule.fields).some((field) => holds(old, stepsOf(field), 0))) continue;
      for (const field of rule.fields) drop(object, stepsOf(field), 0, rule);
    }
  };
}

/** Collects the rules that have one of their fields in the value. */
function meet(branch: Branch, value: JsonValue, met: Set<GatedFields>): void {
  if (branch.rule !== undefined) met.add(branch.rule);
  for (const [step, next] of branch.branches) {
    if (step === '[]') {
      if (Array.isArray(value)) for (const item of value) meet(next, item, met);
    } else if (isObject(value)) {
      if (step === '{}') for (const item of Object.values(value)) meet(next, item, met);
      else {
        const member = getKey(value, step);
        if (member !== undefined && member !== null) meet(next, member, met);
      }
    }
  }
}

/** Whether the object has a value at the path; an empty list counts as none. */
function holds(value: JsonValue | undefined, steps: readonly Step[], at: number): boolean {
  const step = steps[at];
  if (step === undefined) return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  if (step === '[]') return Array.isArray(value) && value.some((item) => holds(item, steps, at + 1));
  if (!isObject(value)) return false;
  return step === '{}'
    ? Object.values(value).some((item) => holds(item, steps, at + 1))
    : holds(getKey(value, step), steps, at + 1);
}

/** Returns whether anything was removed. */
function drop(value: JsonValue | undefined, steps: readonly Step[], at: number, rule: GatedFields): boolean {
  const step = steps[at] ?? '';
  const dropFromAll = (items: readonly JsonValue[]): boolean =>
    items.filter((item) => drop(item, steps, at + 1, rule)).length > 0;
  if (step === '[]') return Array.isArray(value) && dropFromAll(value);
  if (!isObject(value)) return false;
  if (step === '{}') return dropFromAll(Object.values(value));
  const member = getKey(value, step);
  if (member === undefined) return false;
  if (at < steps.length - 1) {
    if (!drop(member, steps, at + 1, rule)) return false;
    if (rule.emptyParentsGo !== true || !isObject(member) || Object.keys(member).length > 0) return true;
  }
  if (rule.readAs === undefined) delete value[step];
  else setKey(value, step, rule.readAs);
  return true;
}
