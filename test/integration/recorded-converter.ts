import assert from 'node:assert/strict';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { TypedValue } from '#shared/apimachinery/managed-fields/typed-value.ts';
import type { VersionConverter } from '#shared/apimachinery/managed-fields/version-converter.ts';
import { doneWith, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { RecordedViews } from '#test/conformance/structured-merge-diff/recorded-schema.ts';
import { type RecordedType } from '#test/conformance/structured-merge-diff/recorded-schema.ts';

export interface Conversion {
  readonly from: RecordedType;
  readonly value: JsonValue;
  readonly apiVersion: string;
  readonly missing: boolean;
  readonly type: RecordedType;
  readonly converted: JsonValue;
}

/** Answers as the test's converter did. */
export class RecordedConverter implements VersionConverter {
  readonly #views: RecordedViews;
  readonly #conversions: readonly Conversion[];

  constructor(conversions: readonly Conversion[], views: RecordedViews) {
    this.#conversions = conversions;
    this.#views = views;
  }

  convert(value: TypedValue, apiVersion: string): Steps<TypedValue | undefined> {
    return doneWith(this.#converted(value, apiVersion));
  }

  #converted(value: TypedValue, apiVersion: string): TypedValue | undefined {
    const toVersion = this.#conversions.filter((conversion) => conversion.apiVersion === apiVersion);
    const found = toVersion.find(
      (conversion) => this.#views.view(conversion.from) === value.type && same(conversion.value, value.value),
    );
    if (found?.missing === true) return undefined;
    const [known] = toVersion;
    if (known === undefined) throw new Error(`nobody asked for ${apiVersion}`);
    // The module's order of versions is random. What it did not ask for this time is converted as its tests do: by
    // name.
    if (found === undefined) {
      const renames = this.#conversions.some(
        (conversion) => !conversion.missing && !same(conversion.value, conversion.converted),
      );
      return { value: renames ? renamed(value.value, apiVersion) : value.value, type: this.#views.view(known.type) };
    }
    const type = this.#views.view(found.type);
    return type === value.type && same(found.converted, value.value) ? value : { value: found.converted, type };
  }
}

/** Versions differ in names there: `field_v1` and `field_v2`, or `a` and `aa`. */
function renamed(value: JsonValue, apiVersion: string): JsonValue {
  const times = Number(apiVersion.slice(1));
  const text = JSON.stringify(value)
    .replaceAll(/_v\d+"/g, `_${apiVersion}"`)
    .replaceAll(/"([a-z])\1*":/g, (_, letter: string) => `"${letter.repeat(times)}":`);
  return JSON.parse(text) as JsonValue;
}

function same(a: JsonValue, b: JsonValue): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
