import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, stringAt } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { isOldVersion } from '#shared/serializer/old-versions.ts';

/** The schema by which a patched document is read, and its conversion to the version of the scope. */
export interface Reading {
  readonly schema: StructSchema;
  readonly toOwn: (object: JsonObject) => JsonObject;
}

/**
 * How to read a patched document. It may name another version of the resource, even one that is no longer served: it is
 * then read in that version and converted.
 */
export function readingOf(scope: RequestScope, patched: JsonValue): Reading {
  return (
    (isObject(patched) ? otherVersion(scope, patched) : undefined) ?? {
      schema: scope.schema,
      toOwn: (object) => object,
    }
  );
}

/**
 * How to read a document in another version; undefined for the version of the request, and for a version that the
 * resource does not have.
 */
export function otherVersion(
  { kind, rest, schema, subresource }: RequestScope,
  patched: JsonObject,
): Reading | undefined {
  const [apiVersion, name] = [stringAt(patched, 'apiVersion'), stringAt(patched, 'kind')];
  const own = formatGroupVersion(kind);
  if (
    apiVersion === own ||
    apiVersion.split('/').length > 2 ||
    (name !== '' && name !== kind.kind) ||
    schema.custom !== undefined ||
    subresource?.view !== undefined
  )
    return undefined;
  const sibling = rest.siblings?.find(apiVersion);
  if (sibling === undefined) {
    if (!isOldVersion(apiVersion, kind.kind)) return undefined;
    return {
      schema,
      toOwn(object) {
        rest.store?.strategy.oldVersionDefaults?.get(apiVersion)?.(object);
        return { ...object, apiVersion: own };
      },
    };
  }
  return {
    schema: sibling.schema,
    toOwn(object) {
      const stored = sibling.conversion?.toStorage(asKubeObject(object)) ?? object;
      return { ...(rest.conversion?.fromStorage(asKubeObject(stored)) ?? stored), apiVersion: own };
    },
  };
}
