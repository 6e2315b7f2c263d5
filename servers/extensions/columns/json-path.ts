import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { compare, type PathValue } from './path-comparison.ts';
import { parseTemplate, PlainNumber, type ItemFilter, type PathNode, type Slice } from './path-syntax.ts';

/** The first value that a path finds in an object; undefined if there is none, or if a step cannot be taken. */
export type JsonPath = (object: JsonObject) => PathValue | undefined;

/** A step that cannot be taken. A filter without an operator lets an item pass if the step was given something. */
class Fault {
  readonly wasGiven: boolean;

  constructor(wasGiven: boolean) {
    this.wasGiven = wasGiven;
  }
}

/** Takes what the step before found, and returns what it finds in that. */
type Step = (values: readonly PathValue[]) => readonly PathValue[] | Fault;

/**
 * Reads a path of `additionalPrinterColumns` (k8s.io/client-go/util/jsonpath, with missing keys allowed). Where it ends
 * its pair of braces and opens others, these are evaluated too, and only their faults matter.
 * @throws JsonPathError
 */
export function parseJsonPath(text: string): JsonPath {
  const [shown = [], ...others] = parseTemplate(`{${text}}`);
  const names = fieldNames(shown);
  if (names !== undefined && others.length === 0) return (object) => valueUnder(object, names);
  const first = inOrder(shown);
  const rest = others.map((nodes) => inOrder(nodes));
  return (object) => {
    const found = first([object]);
    if (found instanceof Fault) return undefined;
    return rest.some((steps) => steps([object]) instanceof Fault) ? undefined : found[0];
  };
}

/** The names of a path that has nothing but names. */
function fieldNames(nodes: readonly PathNode[]): readonly string[] | undefined {
  const names = nodes.flatMap((node) => (node.kind === 'field' ? [node.name] : []));
  return names.length === nodes.length ? names : undefined;
}

function valueUnder(from: PathValue, names: readonly string[]): PathValue | undefined {
  let value: PathValue | undefined = from;
  for (const name of names) {
    if (value === undefined) return undefined;
    value = member(value, name);
  }
  return value;
}

function member(value: PathValue, name: string): JsonValue | undefined {
  return value instanceof PlainNumber || !isObject(value) ? undefined : getKey(value, name);
}

/** Steps that follow each other. Names in a row are one step. */
function inOrder(nodes: readonly PathNode[]): Step {
  const names = fieldNames(nodes);
  const steps = names === undefined ? nodes.map((node) => stepOf(node)) : [fields(names)];
  if (steps.length === 1) return steps[0] as Step;
  return (values) => {
    let found: readonly PathValue[] | Fault = values;
    for (const step of steps) {
      found = step(found);
      if (found instanceof Fault) return found;
    }
    return found;
  };
}

function stepOf(node: PathNode): Step {
  switch (node.kind) {
    case 'field':
      return fields([node.name]);
    case 'members':
      return (values) => values.flatMap((value) => membersOf(value));
    case 'descendants':
      return (values) => values.flatMap((value) => descendantsOf(value));
    case 'slice':
      return slice(node);
    case 'union':
      return union(node.parts.map((part) => inOrder(part)));
    case 'filter':
      return filterStep(node.filter);
    case 'text':
      return () => [node.text];
    case 'constant':
      return (values) => values.map(() => node.value);
    default:
      return word(node.word);
  }
}

function fields(names: readonly string[]): Step {
  return (values) => {
    const found: PathValue[] = [];
    for (const value of values) {
      const under = valueUnder(value, names);
      if (under !== undefined) found.push(under);
    }
    return found;
  };
}

const bytes = Array.from({ length: 256 }, (_, byte) => new PlainNumber(byte, false));

/** Those of a text are its bytes. The reference takes those of a map in random order. */
function membersOf(value: PathValue): readonly PathValue[] {
  if (typeof value === 'string') return Array.from(Buffer.from(value), (byte) => bytes[byte] as PlainNumber);
  if (Array.isArray(value)) return value;
  return value instanceof PlainNumber || !isObject(value)
    ? []
    : Object.keys(value)
        .sort()
        .map((key) => value[key] as JsonValue);
}

/** The value and all within it, less those that have nothing in themselves; a text has its bytes. */
function descendantsOf(value: PathValue): readonly PathValue[] {
  const found: PathValue[] = [];
  const left: PathValue[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const members = typeof next === 'string' ? [] : membersOf(next);
    if (members.length > 0 || (typeof next === 'string' && next !== '')) found.push(next);
    for (let at = members.length - 1; at >= 0; at--) left.push(members[at] as PathValue);
  }
  return found;
}

/** Anything but a list is a fault, and so is a list that has not all the items. A slice of none ends the step. */
function slice({ start, end, isOne, stride }: Slice): Step {
  return (values) => {
    const found: PathValue[] = [];
    for (const value of values) {
      if (value === null) continue;
      if (!Array.isArray(value)) return new Fault(true);
      const { length } = value;
      const from = (start ?? 0) < 0 ? (start ?? 0) + length : (start ?? 0);
      const to = end === undefined ? length : end < 0 || (end === 0 && isOne) ? end + length : end;
      if (from === to) return found;
      if (from < 0 || from >= length || to < from || to > length || stride <= 0) return new Fault(true);
      for (let at = from; at < to; at += stride) found.push(value[at] as JsonValue);
    }
    return found;
  };
}

function union(parts: readonly Step[]): Step {
  return (values) => {
    const all: PathValue[] = [];
    for (const part of parts) {
      const found = part(values);
      if (found instanceof Fault) return new Fault(values.length > 0);
      for (const value of found) all.push(value);
    }
    return all;
  };
}

/**
 * `range` changes the template itself in the reference, so that the answer hangs on how often it was asked before: here
 * it is a fault, as `end` without a range and unknown words are.
 */
function word(text: string): Step {
  return (values) => new Fault(text !== 'end' && values.length > 0);
}

/** One comparison that cannot be made is a fault of the whole. */
function filterStep(filter: ItemFilter): Step {
  const passes = predicate(filter);
  return (values) => {
    const found: PathValue[] = [];
    for (const value of values) {
      if (!Array.isArray(value)) return new Fault(true);
      for (const item of value) {
        const pass = passes(item);
        if (pass === undefined) return new Fault(true);
        if (pass) found.push(item);
      }
    }
    return found;
  };
}

/** Undefined for a comparison that cannot be made. */
function predicate({ left, comparison }: ItemFilter): (item: JsonValue) => boolean | undefined {
  const leftStep = inOrder(left);
  if (comparison === undefined)
    return (item) => {
      const found = leftStep([item]);
      return found instanceof Fault ? found.wasGiven : found.length > 0;
    };
  const { operator } = comparison;
  const [leftSide, rightSide] = [only(left), only(comparison.right)];
  return (item) => {
    const one = leftSide(item);
    if (one === undefined || one instanceof Fault) return one === undefined ? false : undefined;
    const other = rightSide(item);
    if (other === undefined || other instanceof Fault) return other === undefined ? false : undefined;
    return compare(one, operator, other);
  };
}

/** The one value that a side of a comparison finds; undefined if there is none, a fault if there are several. */
function only(nodes: readonly PathNode[]): (item: JsonValue) => PathValue | undefined | Fault {
  const names = fieldNames(nodes);
  if (names !== undefined) return (item) => valueUnder(item, names);
  const step = inOrder(nodes);
  return (item) => {
    const found = step([item]);
    if (found instanceof Fault) return found;
    return found.length > 1 ? new Fault(true) : found[0];
  };
}
