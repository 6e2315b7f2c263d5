import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { CelObject } from '#shared/cel/values/cel-type.ts';

/** A JSON value of an object, or a value without a JSON form that an expression added to one of its lists. */
export type Raw = JsonValue | CelObject | Uint8Array;
