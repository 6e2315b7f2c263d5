import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringMapAt, valueAt } from '#shared/apimachinery/object.ts';
import { SelectorError, formatLabelSelector, labelSelectorAsSelector } from '#shared/apimachinery/selectors/labels.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { timeToMs } from '#shared/apimachinery/values/time.ts';
import type { AgeClock } from './age-clock.ts';

/** A cell that shows the time since a moment, so that a row can be cached and printed again later. */
export interface SinceCell {
  readonly sinceMs: number;
  readonly before: string;
  readonly after: string;
}

export type Cell = string | number | bigint | boolean | null | SinceCell;

/** The cells of one object; conditions mark finished pods. A row depends on the object alone. */
export interface TableRow {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly JsonObject[];
}

/** Makes the cells of one kind. */
export type RowPrinter = (object: JsonObject) => TableRow;

/** A row printer that prints cells only. */
export function cellsOf(print: (object: JsonObject) => readonly Cell[]): RowPrinter {
  return (object) => ({ cells: print(object) });
}

/** The cells with their ages at the clock's time. */
export function renderCells(row: TableRow, clock: AgeClock): JsonValue[] {
  return row.cells.map((cell) =>
    typeof cell === 'object' && cell !== null ? cell.before + clock.age(cell.sinceMs) + cell.after : cell,
  );
}

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

/** Time since a stored moment; `<unknown>` for an absent time. */
export function since(time: string, before = '', after = ''): Cell {
  const ms = timeToMs(time);
  return ms === undefined ? UNKNOWN : { sinceMs: ms, before, after };
}

export function nameOf(object: JsonObject): string {
  return stringAt(object, 'metadata', 'name');
}

export function ageOf(object: JsonObject): Cell {
  return since(stringAt(object, 'metadata', 'creationTimestamp'));
}

/** A string, or a stand-in where it is absent or empty. */
export function textOr(fallback: string, object: JsonValue | undefined, ...path: readonly string[]): string {
  const text = stringAt(object, ...path);
  return text === '' ? fallback : text;
}

/** A number; zero where it is absent. */
export function count(object: JsonValue | undefined, ...path: readonly string[]): number {
  return numberAt(object, ...path) ?? 0;
}

/** A quantity's text; Go prints `0` for an absent one. */
export function quantityText(object: JsonValue | undefined, ...path: readonly string[]): string {
  return textOr('0', object, ...path);
}

/** An int-or-string's text, undefined where it is absent. */
export function intOrStringText(object: JsonValue | undefined, ...path: readonly string[]): string | undefined {
  const value = valueAt(object, ...path);
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

/** Number of keys of a map. */
export function keyCount(object: JsonValue | undefined, ...path: readonly string[]): number {
  return Object.keys(objectAt(object, ...path) ?? {}).length;
}

export function isDeleted(object: JsonObject): boolean {
  return stringAt(object, 'metadata', 'deletionTimestamp') !== '';
}

/** `a=b,c=d` by key, or `<none>`. */
export function formatMap(object: JsonValue | undefined, ...path: readonly string[]): string {
  const pairs = [...stringMapAt(object, ...path)].sort(([a], [b]) => compareUtf8(a, b));
  return pairs.length === 0 ? NONE : pairs.map(([key, value]) => `${key}=${value}`).join(',');
}

/** A LabelSelector object as text; `<none>` for one that is empty or absent, `<error>` for an invalid one. */
export function formatSelector(object: JsonValue | undefined, ...path: readonly string[]): string {
  const text = selectorText(objectAt(object, ...path));
  return text === undefined ? '<error>' : text === '' ? NONE : text;
}

/** The text of a label selector; undefined for an invalid one. */
export function selectorText(selector: JsonObject | undefined): string | undefined {
  try {
    return formatLabelSelector(labelSelectorAsSelector(selector));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Names and images of the containers of a pod spec, in two cells. */
export function containerCells(
  object: JsonValue | undefined,
  ...path: readonly string[]
): [names: string, images: string] {
  const containers = objectsAt(object, ...path, 'containers');
  return [
    containers.map((item) => stringAt(item, 'name')).join(','),
    containers.map((item) => stringAt(item, 'image')).join(','),
  ];
}

/** The first condition of a type. */
export function conditionOf(object: JsonObject, type: string): JsonObject | undefined {
  return objectsAt(object, 'status', 'conditions').find((item) => stringAt(item, 'type') === type);
}

/** At most three items, then the number of further ones; `<unset>` for none. */
export function firstThree(items: readonly string[]): string {
  const shown = items.slice(0, 3).join(',');
  if (items.length > 3) return `${shown} + ${items.length - 3} more...`;
  return shown === '' ? UNSET : shown;
}
