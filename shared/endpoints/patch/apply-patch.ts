import { failureStatus, newBadRequest, StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { holdsRawJson } from '#shared/apimachinery/schema/raw-json.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { withoutManagers } from '#shared/registry/field-management/keep-times.ts';
import type { FieldValidation } from '#shared/serializer/decode-binary.ts';
import { goValueName } from '#shared/serializer/json/decode-walk.ts';
import { takeExactRaw } from '#shared/serializer/json/exact-raw.ts';
import { findHugeNumber } from '#shared/serializer/json/huge-number.ts';
import { parseJsonText } from '#shared/serializer/json/parse.ts';
import { conformRestored } from '#shared/serializer/json/restore.ts';
import { JsonDepthError, maxJsonDepth, scanJson } from '#shared/serializer/json/scan.ts';
import { strictErrorLines } from '#shared/serializer/yaml/duplicates.ts';
import { parseYamlInSteps } from '#shared/serializer/yaml/parse-in-steps.ts';

/** The configuration of an apply, read from YAML (of which JSON is a subset). */
export interface AppliedConfig {
  readonly value: JsonObject;
  /** Duplicate keys, in the text of go-yaml's strict reader; empty where there are none. */
  readonly duplicates: string;
}

/** @throws StatusError 400 for a body that is not YAML, or not an object */
export function* readAppliedConfig(body: Buffer): Steps<AppliedConfig> {
  const { value, strictErrors } = yield* readText(body);
  if (value !== null && !isObject(value)) {
    throw newBadRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${goValueName(value)} into Go value of type map[string]interface {}`,
    );
  }
  return { value: value ?? {}, duplicates: strictErrors[0] ?? '' };
}

/**
 * Whether a JSON text has something that go-yaml refuses or reads differently: numbers beyond float64, some escapes,
 * invalid characters.
 */
function isOtherInYaml(text: string): boolean {
  return /\\\/|\\u[dD][89a-fA-F]|[\u007f-\u0084\u0086-\u009f\ufffd]/.test(text) || findHugeNumber(text) !== undefined;
}

/** Reads JSON, which most clients send, with the faster JSON reader, unless the text has duplicate keys. */
function* readText(body: Buffer): Steps<{ value: JsonValue; strictErrors: readonly string[] }> {
  if (body[0] === 0x7b) {
    const json = yield* readPlainJson(body);
    if (json !== undefined) return { value: json, strictErrors: [] };
  }
  try {
    return yield* parseYamlInSteps(body);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    const doing =
      error instanceof JsonDepthError ? 'unmarshaling JSON: while decoding JSON' : 'converting YAML to JSON';
    throw newBadRequest(
      `error decoding YAML: error ${doing}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function* readPlainJson(body: Buffer): Steps<JsonValue | undefined> {
  try {
    const { strictErrors, largeIntegers } = yield* scanJson(body, { maxDepth: maxJsonDepth });
    if (isSliced()) yield;
    const text = body.toString('utf8');
    return strictErrors.length > 0 || isOtherInYaml(text) ? undefined : yield* parseJsonText(text, body, largeIntegers);
  } catch {
    return undefined;
  }
}

/**
 * Applies field validation to duplicate keys; schema errors are refused at every level of validation. Returns warnings.
 * @throws StatusError 400 for `Strict`
 */
export function checkDuplicates({ duplicates }: AppliedConfig, fieldValidation: FieldValidation): string[] {
  if (duplicates === '' || fieldValidation === 'Ignore') return [];
  if (fieldValidation === 'Strict')
    throw newBadRequest(`error strict decoding YAML: error converting YAML to JSON: ${duplicates}`);
  return strictErrorLines(duplicates);
}

/**
 * Conforms the result of an apply to the shape of its type.
 * @throws StatusError 500 where the configuration fits the schema of apply but not the type
 */
export function* conformApplied(
  scope: RequestScope,
  config: AppliedConfig,
  applied: KubeObject,
  live: KubeObject | undefined,
): Steps<KubeObject> {
  try {
    if (scope.schema.custom !== undefined) {
      const object = yield* cloneInSteps(applied);
      // The rest of the applied object stays as it is, nulls included: validation checks it.
      yield* scope.schema.custom.conformMetadata(object);
      return object;
    }
    // Where the apply changes only managedFields, the live object keeps its order of keys and its raw JSON.
    const keepsOrder =
      live !== undefined && holdsRawJson(scope.schema) && deepEqual(withoutManagers(applied), withoutManagers(live));
    const { object } = yield* conformRestored(scope.schema, applied, { strict: false, keepsOrder });
    if (keepsOrder) takeExactRaw(scope.schema, object, live);
    return asKubeObject(object);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StatusError(
      failureStatus(
        500,
        '',
        `failed to convert new object (${named(scope, config)}) to proper version: unable to convert unstructured object to ${formatGroupVersionKind(scope.kind)}: ${reason}`,
      ),
    );
  }
}

/** The 500 for an applied configuration that cannot be converted to the storage version. */
export function unconverted(scope: RequestScope, config: AppliedConfig, reason: string): StatusError {
  return new StatusError(
    failureStatus(500, '', `failed to convert to unversioned (${named(scope, config)}): ${reason}`),
  );
}

/** The applied object, as the reference's error texts name it. */
function named(scope: RequestScope, { value }: AppliedConfig): string {
  return `${stringAt(value, 'metadata', 'namespace')}/${stringAt(value, 'metadata', 'name')}; ${formatGroupVersionKind(scope.kind)}`;
}
