import { cloneJson } from '../../apimachinery/clone.ts';
import { isObject, setKey, getKey, type JsonObject, type JsonValue } from '../../apimachinery/json.ts';
import { stringAt } from '../../apimachinery/object.ts';
import { quoteJson, sortedKeys } from '../../serializer/json/go-text.ts';
import { rawText } from '../../serializer/json/loose.ts';

/**
 * A document after a JSON patch as the reference's patch library (gopkg.in/evanphx/json-patch.v4) prints it: keys are sorted at
 * the levels that the patch entered, everything else stands as it was printed before. Shown in errors only.
 */
export function patchedText(value: JsonValue, entered: JsonValue): string {
  if (!isObject(entered)) return rawText(value);
  const next = (key: string): JsonValue => (Object.hasOwn(entered, key) ? entered[key] ?? null : null);
  if (Array.isArray(value)) return `[${value.map((item, index) => patchedText(item, next(String(index)))).join(',')}]`;
  return objectText(value, (member, key) => patchedText(member, next(key)));
}

/** As {@link patchedText} after a merge patch of `before`: what takes the place of an object stands as the patch has it. */
export function mergedText(value: JsonValue, patch: JsonValue, before: JsonValue | undefined): string {
  // Lists in place of anything else are read whole.
  if (Array.isArray(patch)) return isObject(before) ? rawText(value) : sortedText(value);
  if (!isObject(patch)) return rawText(value);
  return objectText(value, (member, key) => mergedText(member, Object.hasOwn(patch, key) ? patch[key] ?? null : null, isObject(before) ? getKey(before, key) : undefined));
}

function sortedText(value: JsonValue): string {
  return Array.isArray(value) ? `[${value.map(sortedText).join(',')}]` : objectText(value, sortedText);
}

function objectText(value: JsonValue, memberText: (member: JsonValue, key: string) => string): string {
  if (!isObject(value)) return rawText(value);
  return `{${sortedKeys(value).map((key) => `${quoteJson(key)}:${memberText(value[key] as JsonValue, key)}`).join(',')}}`;
}

/** The objects that the operations of a JSON patch step through, as a merge patch would name them. */
export function enteredBy(operations: JsonValue): JsonObject {
  const root: JsonObject = {};
  if (!Array.isArray(operations)) return root;
  for (const operation of operations) {
    const [to, from] = [stepsOf(stringAt(operation, 'path')), stepsOf(stringAt(operation, 'from'))];
    const source = from.slice(0, -1).reduce(enter, root);
    const op = stringAt(operation, 'op');
    const moved = op === 'move' ? lookUp(root, from) : undefined;
    // What moves is gone before its new place is looked for; what is copied may be stepped through on the way there.
    if (op === 'move') shift(source, from.at(-1) ?? '', -1);
    const [parent, name] = [to.slice(0, -1).reduce(enter, root), to.at(-1) ?? ''];
    const taken = op === 'copy' ? lookUp(root, from) : moved;
    if (op === 'add' || op === 'move' || op === 'copy') shift(parent, name, 1);
    else if (op === 'remove') shift(parent, name, -1);
    // What is copied or moved is printed before.
    if (taken !== undefined) setKey(parent, name, cloneJson(taken));
  }
  return root;
}

/** Items behind one that comes or goes have other numbers after it. */
function shift(entered: JsonObject, at: string, by: 1 | -1): void {
  if (!/^\d+$/.test(at)) return;
  const items = Object.entries(entered).filter(([key]) => /^\d+$/.test(key) && Number(key) >= Number(at));
  for (const [key] of items) delete entered[key];
  for (const [key, value] of items) if (by > 0 || key !== at) setKey(entered, String(Number(key) + by), value);
}

function stepsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function lookUp(root: JsonObject, steps: readonly string[]): JsonObject | undefined {
  if (steps.length === 0) return undefined;
  let at: JsonValue | undefined = root;
  for (const step of steps) at = isObject(at) ? getKey(at, step) : undefined;
  return isObject(at) ? at : undefined;
}

function enter(at: JsonObject, key: string): JsonObject {
  const present = getKey(at, key);
  if (isObject(present)) return present;
  const made: JsonObject = {};
  setKey(at, key, made);
  return made;
}
