import type { Facts } from '#shared/api/facts.ts';
import { invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import { newInvalid } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion, parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { isDeeperThan } from '#shared/apimachinery/json/json-depth.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { PatchError } from '#shared/apimachinery/patch/patch-error.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { otherKindText } from '#shared/endpoints/request/other-kinds.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { schemeName } from '#shared/serializer/decode-errors.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { parseJsonText } from '#shared/serializer/json/parse.ts';
import { maxJsonDepth, scanJson } from '#shared/serializer/json/scan.ts';
import { parseSpelled } from '#shared/serializer/json/spelled-numbers.ts';
import { typeTexts } from '#shared/serializer/type-text.ts';
import { otherVersion } from './patched-version.ts';

/** Prints the patched document for an error text; in steps, since it may be long. */
export type PrintPatched = () => Steps<string>;

/**
 * The error for a custom resource without a kind, or with a null apiVersion
 * (apimachinery/pkg/apis/meta/v1/unstructured).
 */
export function* namelessCustom(patched: JsonObject, shown: PrintPatched): Steps<string | undefined> {
  if ((patched['kind'] ?? '') === '') return `Object 'Kind' is missing in '${yield* shown()}'`;
  if (patched['apiVersion'] === null) return '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
  return undefined;
}

export function refusePatch(message: string, shown: string): Error {
  return newInvalid({ group: '', kind: '' }, '', [invalid(path('patch'), shown, message)]);
}

export function patchMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Finds the first error in the order of the text. */
export function* errorInOrder(schema: StructSchema, text: string, spelled: boolean): Steps<unknown> {
  try {
    yield* conform(schema, spelled ? yield* parseSpelled(text) : yield* parseJsonText(text, undefined), {
      strict: false,
      spelled,
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Refuses a document that operations have nested too deep. The reference's patch library (evanphx/json-patch) prints
 * the value of each top-level key; its decoder then reads the whole document, one level deeper, and has an error of its
 * own for that level.
 */
export function* refuseTooDeep(patched: JsonValue, shown: PrintPatched): Steps<void> {
  if (!(yield* isDeeperThan(patched, maxJsonDepth))) return;
  if (yield* isDeeperThan(patched, maxJsonDepth + 1)) throw new PatchError('unprocessable', 'exceeded max depth');
  const text = yield* shown();
  try {
    yield* scanJson(Buffer.from(text), { maxDepth: maxJsonDepth });
  } catch (error) {
    throw refusePatch(`couldn't get version/kind; json parse error: ${patchMessageOf(error)}`, text);
  }
}

/** The error for an apiVersion or kind of the wrong JSON type (apimachinery/pkg/runtime/serializer/json). */
export function typeError(patched: JsonObject): string | undefined {
  try {
    typeTexts(patched);
    return undefined;
  } catch (error) {
    return `couldn't get version/kind; json parse error: ${patchMessageOf(error)}`;
  }
}

/** The error for a document whose apiVersion and kind are not those of the resource. */
export function otherKind(facts: Facts, scope: RequestScope, patched: JsonObject): string | undefined {
  const { kind } = scope;
  const [apiVersion, name] = [stringAt(patched, 'apiVersion'), stringAt(patched, 'kind')];
  if (otherVersion(scope, patched) !== undefined) return undefined;
  if (apiVersion === '' || (apiVersion === formatGroupVersion(kind) && (name === '' || name === kind.kind)))
    return undefined;
  try {
    const gvk = { ...parseGroupVersion(apiVersion), kind: name === '' ? kind.kind : name };
    return otherKindText(facts, gvk, kind, patched);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The error for another kind without an apiVersion, which the reference looks up among the group's internal types. */
export function otherInternalKind({ kind: { group, kind } }: RequestScope, patched: JsonObject): string | undefined {
  const name = stringAt(patched, 'kind');
  return name === '' || name === kind
    ? undefined
    : `no kind ${goQuote(name)} is registered for the internal version of group ${goQuote(group)} in scheme "${schemeName}"`;
}

export function notAMap(value: JsonValue, prefix: string): PatchError {
  const kind = Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'string'
        ? 'string'
        : 'number';
  return new PatchError(
    'badRequest',
    `${prefix}json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
  );
}
