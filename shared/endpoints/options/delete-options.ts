import type { Facts } from '#shared/api/facts.ts';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringsAt } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { ignoreReadErrors, readDeleteOptions } from '#shared/registry/delete-options.ts';
import type { DeleteRequest } from '#shared/registry/resource-store.ts';
import type { QueryParameters } from '#shared/request/query-parameters.ts';
import { decodeBody } from '#shared/serializer/codec.ts';
import { builtinMediaTypes, type MediaType } from '#shared/serializer/negotiate.ts';
import { booleanParameter, int64Parameter } from './query-values.ts';

/** DeleteOptions (`meta.k8s.io/v1`), decoded and validated. */
export interface DeleteOptions {
  readonly request: DeleteRequest;
  readonly dryRun: boolean;
  /** Whether an object that cannot be read is to be removed. */
  readonly ignoresReadErrors: boolean;
  /** The DeleteOptions object that is passed to admission. */
  readonly asObject: JsonObject;
}

const metaV1 = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' };

interface DeleteBody {
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

interface DeleteBodyOptions {
  readonly mediaTypes?: readonly MediaType[];
  /** `AllowUnsafeMalformedObjectDeletion`. */
  readonly allowsMalformed?: boolean;
  /** Called with the options of a body, before they are validated. */
  readonly onDecoded?: (options: JsonObject) => void;
}

/** Reads the options from the body, or from the query when there is no body. Throws 400, 415 or 422. */
export function parseDeleteOptions(
  facts: Facts,
  { contentType, bytes }: DeleteBody,
  query: QueryParameters,
  { mediaTypes = builtinMediaTypes, allowsMalformed = false, onDecoded }: DeleteBodyOptions = {},
): DeleteOptions {
  const hasBody = bytes.length > 0;
  const object = hasBody ? decodeOptions(facts, contentType, bytes, mediaTypes) : optionsOfQuery(query);
  if (hasBody) onDecoded?.(object);
  // Without the gate AllowUnsafeMalformedObjectDeletion nobody sees this option.
  const { [ignoreReadErrors]: ignores, ...others } = object;
  const options = allowsMalformed ? object : others;
  return {
    request: readDeleteOptions(options),
    dryRun: stringsAt(options, 'dryRun').length > 0,
    ignoresReadErrors: allowsMalformed && ignores === true,
    asObject: { ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
  };
}

/** Decodes DeleteOptions of any group, with the schema of meta.k8s.io; every other kind is refused. */
function decodeOptions(
  facts: Facts,
  contentType: string | undefined,
  body: Uint8Array,
  mediaTypes: readonly MediaType[],
): JsonObject {
  const lookup = {
    schema: (group: string, version: string, kind: string) =>
      kind !== 'DeleteOptions'
        ? undefined
        : (facts.schema(group, version, kind) ?? facts.schema(metaV1.group, metaV1.version, kind)),
  };
  const { object, gvk } = atOnce(
    decodeBody(lookup, contentType, body, {
      defaultGvk: metaV1,
      fieldValidation: 'Ignore',
      plainErrors: true,
      mediaTypes,
    }),
  );
  if (gvk.kind !== 'DeleteOptions') throw newBadRequest('decoded object cannot be converted to DeleteOptions');
  return object;
}

function optionsOfQuery(query: QueryParameters): JsonObject {
  if (query.size === 0) return {};
  const object: JsonObject = {};
  const seconds = int64Parameter(query, 'gracePeriodSeconds');
  if (seconds !== undefined) object['gracePeriodSeconds'] = seconds;
  const orphan = booleanParameter(query, 'orphanDependents');
  if (orphan !== undefined) object['orphanDependents'] = orphan;
  const ignores = booleanParameter(query, ignoreReadErrors);
  if (ignores !== undefined) object[ignoreReadErrors] = ignores;
  const policy = query.get('propagationPolicy');
  if (policy !== null) object['propagationPolicy'] = policy;
  const dryRun = query.getAll('dryRun');
  if (dryRun.length > 0) object['dryRun'] = dryRun;
  const uid = query.get('uid') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (uid !== '' || resourceVersion !== '') {
    object['preconditions'] = {
      ...(uid === '' ? {} : { uid }),
      ...(resourceVersion === '' ? {} : { resourceVersion }),
    };
  }
  return object;
}
