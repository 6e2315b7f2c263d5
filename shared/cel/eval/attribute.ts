import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { CelError, CelMap, CelOptional, type Value } from '#shared/cel/values/value.ts';
import { charge, type Evaluate, type Frame } from './frame.ts';
import type { Attribute, Qualifier } from './node.ts';
import { logicError, stepsOf, type Node } from './node.ts';
import { absent, isPresent, keyError, noSuchKey, qualify, qualifyIfPresent } from './qualify.ts';

export function addQualifier(attribute: Attribute, qualifier: Qualifier): void {
  if (attribute.conditional === undefined) {
    attribute.qualifiers.push(qualifier);
    return;
  }
  addQualifier(attribute.conditional.yes, qualifier);
  addQualifier(attribute.conditional.no, qualifier);
}

/**
 * The attribute as a node. Evaluating it costs 1 in addition to its selections; choices and presence tests cost
 * nothing extra.
 */
export function attributeNode(attribute: Attribute, testOnly = false): Node {
  // Selections are collected until a part of the expression other than a selection reads the attribute.
  let made: Node | undefined;
  const make = (): Node => (made ??= testOnly ? testNode(attribute) : readNode(attribute));
  return {
    attribute,
    get evaluate() {
      return make().evaluate;
    },
    get steps() {
      return make().steps;
    },
  };
}

function readNode(attribute: Attribute): Node {
  if (attribute.conditional !== undefined) return resolveNode(attribute);
  const { evaluate, steps } = resolveNode(attribute, 1);
  return {
    evaluate,
    steps:
      steps === undefined
        ? undefined
        : function* run(frame): Steps<Value> {
            const value = yield* steps(frame);
            charge(frame, 1);
            return value;
          },
  };
}

function testNode(attribute: Attribute): Node {
  const { evaluate, steps } = resolveNode(attribute);
  return {
    evaluate: plainTest(attribute) ?? ((frame) => tested(evaluate(frame))),
    steps:
      steps === undefined
        ? undefined
        : function* run(frame): Steps<Value> {
            return tested(yield* steps(frame));
          },
  };
}

function tested(value: Value): Value {
  return value instanceof CelOptional ? value.value !== undefined : value;
}

/**
 * Reads the attribute without its own cost of 1, as for the key of another attribute or the branch of a choice.
 * `evaluate` charges `ownCost` after the cost of the selections; with `steps` the caller charges it.
 */
export function resolveNode(attribute: Attribute, ownCost = 0): Node {
  if (attribute.conditional !== undefined) {
    const { condition } = attribute.conditional;
    return choiceNode(condition, resolveNode(attribute.conditional.yes), resolveNode(attribute.conditional.no));
  }
  const { root, qualifiers } = attribute;
  if (qualifiers.length === 0 && ownCost === 0) return root;
  const inSteps = root.steps !== undefined || qualifiers.some(({ keyNode }) => keyNode?.steps !== undefined);
  const steps = function* steps(frame: Frame): Steps<Value> {
    const keys: (Value | undefined)[] = [];
    const value = yield* stepsOf(root, frame);
    if (value instanceof CelError) return value;
    for (const { keyNode } of qualifiers)
      keys.push(keyNode?.steps === undefined ? undefined : yield* keyNode.steps(frame));
    return select(frame, value, qualifiers, keys);
  };
  return { evaluate: selection(root.evaluate, qualifiers, ownCost), steps: inSteps ? steps : undefined };
}

function plainOf(value: Value): Value {
  return value instanceof CelObject ? value.plain : value;
}

/** Evaluates a variable or a branch of a conditional that may be optional. */
export function plainOptional({ evaluate, steps }: Node): Node {
  const settle = (value: Value): Value =>
    value instanceof CelOptional && value.value instanceof CelObject ? new CelOptional(value.value.plain) : value;
  return {
    evaluate: (frame) => settle(evaluate(frame)),
    steps:
      steps === undefined
        ? undefined
        : function* plain(frame: Frame): Steps<Value> {
            return settle(yield* steps(frame));
          },
  };
}

export function choiceNode(condition: Node, yes: Node, no: Node): Node {
  const [decide, whenTrue, whenFalse] = [condition.evaluate, yes.evaluate, no.evaluate];
  return {
    evaluate(frame) {
      const value = decide(frame);
      if (value === true) return whenTrue(frame);
      return value === false ? whenFalse(frame) : logicError(value);
    },
    steps:
      condition.steps === undefined && yes.steps === undefined && no.steps === undefined
        ? undefined
        : function* steps(frame): Steps<Value> {
            const value = yield* stepsOf(condition, frame);
            if (value === true) return yield* stepsOf(yes, frame);
            return value === false ? yield* stepsOf(no, frame) : logicError(value);
          },
  };
}

function selection(root: Evaluate, qualifiers: readonly Qualifier[], ownCost: number): Evaluate {
  const [first, second] = qualifiers;
  // Most expressions consist of plain fields of a variable.
  if (first?.key !== undefined && second === undefined && !first.optional && !first.testOnly)
    return plainField(root, first.key, qualifiers, ownCost);
  return (frame) => {
    const value = root(frame);
    const selected =
      value instanceof CelError || qualifiers.length === 0 ? value : select(frame, value, qualifiers, none);
    charge(frame, ownCost);
    return selected;
  };
}

function plainField(root: Evaluate, key: Value, qualifiers: readonly Qualifier[], ownCost: number): Evaluate {
  return (frame) => {
    const value = root(frame);
    let found: Value;
    // Nearly all values are maps, so they are checked first.
    if (value instanceof CelMap) {
      const field = value.find(key);
      found = field === undefined ? noSuchKey(key) : field;
      charge(frame, 1);
    } else if (value instanceof CelError) found = value;
    else if (value instanceof CelOptional) found = select(frame, value, qualifiers, none);
    else {
      found = qualify(value, key);
      charge(frame, 1);
    }
    charge(frame, ownCost);
    return found;
  };
}

/** A fast path for `has(a.b)` with a single constant selection; undefined for other attributes. */
function plainTest({ root, qualifiers = [] }: Attribute): Evaluate | undefined {
  const [first, second] = qualifiers;
  if (root === undefined || first?.key === undefined || second !== undefined || first.optional) return undefined;
  const { key } = first;
  const { evaluate } = root;
  return (frame) => {
    const value = evaluate(frame);
    if (!(value instanceof CelMap))
      return value instanceof CelError ? value : tested(select(frame, value, qualifiers, none));
    const found = value.find(key);
    charge(frame, 1);
    return found instanceof CelError ? found : found !== undefined;
  };
}

function keyOf(frame: Frame, { key, keyNode }: Qualifier, evaluated: Value | undefined): Value {
  if (key !== undefined) return key;
  const value = evaluated ?? keyNode?.evaluate(frame) ?? null;
  return keyError(value) ?? value;
}

const none: readonly undefined[] = [];

/**
 * Applies selections. `keys` holds the keys that were already evaluated. After an optional value or selection all
 * further selections are optional.
 */
function select(
  frame: Frame,
  from: Value,
  qualifiers: readonly Qualifier[],
  keys: readonly (Value | undefined)[],
): Value {
  let value = from;
  let optional = false;
  if (value instanceof CelOptional) {
    if (value.value === undefined) return value;
    optional = true;
    value = plainOf(value.value);
  }
  for (let at = 0; at < qualifiers.length; at++) {
    const qualifier = qualifiers[at] as Qualifier;
    optional ||= qualifier.optional;
    const key = keyOf(frame, qualifier, keys[at]);
    if (key instanceof CelError) {
      if (!optional) charge(frame, 1);
      return key;
    }
    if (qualifier.testOnly) {
      const present = isPresent(value, key);
      if (!optional || present === true) charge(frame, 1);
      if (present instanceof CelError) return present;
      if (optional) return present === true ? new CelOptional(true) : CelOptional.none;
      value = present;
      continue;
    }
    if (!optional) {
      value = qualify(value, key);
      charge(frame, 1);
      if (value instanceof CelError) return value;
      continue;
    }
    const found = qualifyIfPresent(value, key);
    if (found === absent) return CelOptional.none;
    if (found instanceof CelError) return found;
    charge(frame, 1);
    value = found;
  }
  return optional ? new CelOptional(value) : value;
}
