import type { Facts } from '#shared/api/facts.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { notRegisteredText } from '#shared/serializer/decode-errors.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { JsonTypeError } from '#shared/serializer/json/decode-walk.ts';
import { isOldVersion } from '#shared/serializer/old-versions.ts';
import { goInternalName } from './request-scope.ts';

interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Groups whose types upstream registers in schemes of their own. */
const ownSchemes: ReadonlySet<string> = new Set([
  'apidiscovery.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
]);
/** Kinds that are only forms of responses, not registered in the group `meta.k8s.io`. */
const forms: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** Kinds of version `v1` that are registered in each scheme (apimachinery/pkg/apis/meta/v1/register.go). */
const everywhere: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'Status',
  'UpdateOptions',
  'WatchEvent',
]);

/**
 * The error for a document whose kind is not that of the resource. A document of a registered kind is decoded as that
 * kind first, and a decoding error takes precedence.
 */
export function otherKindText(facts: Facts, gvk: GroupVersionKind, wanted: GroupKind, document: JsonValue): string {
  const schema = registeredSchema(facts, gvk, wanted.group);
  if (schema === undefined) return notRegisteredText(gvk);
  try {
    if (schema !== 'old') atOnce(conform(schema, cloneJson(document), { strict: false }));
  } catch (error) {
    if (error instanceof JsonTypeError) return error.message;
    throw error;
  }
  return unknownConversionText(gvk, wanted);
}

/**
 * The schema of a kind: undefined where the scheme of the reader's group does not have the kind, `old` for a removed
 * version, which has no schema any more.
 */
function registeredSchema(
  facts: Facts,
  { group, version, kind }: GroupVersionKind,
  readerGroup: string,
): StructSchema | 'old' | undefined {
  const isMeta = group === 'meta.k8s.io' || (group === '' && version === 'v1' && everywhere.has(kind));
  if (group !== readerGroup && !isMeta && (ownSchemes.has(group) || ownSchemes.has(readerGroup))) return undefined;
  if (group === 'meta.k8s.io' && forms.has(kind)) return undefined;
  return isOldVersion(formatGroupVersion({ group, version }), kind) ? 'old' : facts.schema(group, version, kind);
}

/** The error for an object of a known kind other than that of the resource. */
export function unknownConversionText({ version, kind }: GroupVersionKind, wanted: GroupKind): string {
  return `converting (${version}.${kind}) to (${goInternalName(wanted).slice(1)}): unknown conversion`;
}
