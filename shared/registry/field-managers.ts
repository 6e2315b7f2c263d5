import type { ResourceFacts } from '#shared/api/facts.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion, parseGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { viewOfSchema } from '#shared/apimachinery/managed-fields/schema-view.ts';
import { TypedValueError } from '#shared/apimachinery/managed-fields/typed-value.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { FieldManager } from './field-management/field-manager.ts';
import { resetFieldsOf } from './field-management/reset-fields.ts';
import { TypedVersions, type TypedVersion } from './field-management/typed-versions.ts';
import type { Conversion, RestResource, RestSubresource, Siblings } from './rest.ts';
import type { Strategy } from './strategy.ts';

const managers = new WeakMap<RestResource | RestSubresource, FieldManager>();

/**
 * The field manager of a resource, or of one of its subresources, in one version; undefined for kinds without metadata.
 */
export function fieldManagerOf(rest: RestResource, subresource: RestSubresource | undefined): FieldManager | undefined {
  const owner = subresource ?? rest;
  const known = managers.get(owner);
  if (known !== undefined) return known;
  const { group, version, kind } = rest.facts;
  const schema = subresource?.schema ?? rest.schema;
  if (!hasMetadata(schema)) return undefined;
  const own = typedVersion(subresource?.facts.kind ?? { group, version, kind }, schema);
  const isParent = own.kind.kind === kind && own.kind.group === group;
  const made = new FieldManager({
    kind: own.kind,
    subresource: subresource?.facts.name ?? '',
    versions: isParent ? parentVersions(rest, own) : singleVersion(own),
    ...(rest.schema.custom === undefined || isParent
      ? {}
      : { refusesApply: `request to convert CR to an invalid group/version: ${formatGroupVersion(own.kind)}` }),
    resetFields: isParent
      ? resetFields(
          rest.facts,
          rest.store?.strategy,
          subresource?.facts.name ?? '',
          rest.siblings?.apiVersions ?? [formatGroupVersion(own.kind)],
        )
      : undefined,
  });
  managers.set(owner, made);
  return made;
}

/** The field manager for writes of the server itself, which use only the storage version. */
export function storedFieldManager(
  facts: ResourceFacts,
  strategy: Strategy,
  schema: StructSchema,
  kind: GroupVersionKind,
  subresource: string,
): FieldManager {
  const own = typedVersion(kind, schema);
  return new FieldManager({
    kind,
    subresource,
    versions: singleVersion(own),
    resetFields: resetFields(facts, strategy, subresource, [formatGroupVersion(kind)]),
  });
}

function resetFields(
  facts: ResourceFacts,
  strategy: Strategy | undefined,
  subresource: string,
  apiVersions: readonly string[],
): ReturnType<typeof resetFieldsOf> {
  const hasStatus = strategy?.hasStatus ?? facts.subresources.some((item) => item.name === 'status');
  return resetFieldsOf(strategy?.resetFields, hasStatus, subresource, apiVersions);
}

function typedVersion(kind: GroupVersionKind, schema: StructSchema): TypedVersion {
  return {
    kind,
    schema,
    get view() {
      return schema.custom?.view ?? viewOfSchema(schema);
    },
  };
}

function singleVersion(own: TypedVersion): TypedVersions {
  return new TypedVersions({ own, other: () => undefined, convert: (object) => object });
}

/**
 * All versions of a resource. Objects are converted through the storage version; versions of a custom resource differ
 * only in apiVersion, unless a webhook converts them.
 */
function parentVersions(rest: RestResource, own: TypedVersion): TypedVersions {
  const find = (apiVersion: string): RestResource | undefined => rest.siblings?.find(apiVersion);
  const conversionOf = ({ kind }: TypedVersion): Conversion | undefined =>
    (kind.version === own.kind.version ? rest : find(formatGroupVersion(kind)))?.conversion;
  return new TypedVersions({
    own,
    other(apiVersion) {
      const other = find(apiVersion);
      return other === undefined
        ? undefined
        : typedVersion({ ...parseGroupVersion(apiVersion), kind: other.facts.kind }, other.schema);
    },
    convert(object, from, to) {
      const stored = conversionOf(from)?.toStorage(object) ?? object;
      return conversionOf(to)?.fromStorage(stored) ?? stored;
    },
    convertCustom: asTyped(rest.siblings?.convert),
  });
}

/** A webhook that fails is a misfit for field management: updates ignore it, an apply tells it. */
function asTyped(convert: Siblings['convert']): Siblings['convert'] {
  if (convert === undefined) return undefined;
  return function* (object, apiVersion) {
    try {
      return yield* convert(object, apiVersion);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw new TypedValueError([{ path: '', message: error.message }]);
    }
  };
}

function hasMetadata(schema: StructSchema): boolean {
  return schema.custom !== undefined || schema.byName.has('metadata');
}
