import type { ResourceFacts } from '#shared/api/facts.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import {
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
} from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { paceOf, slicedPace, type Pace } from '#shared/registry/pace.ts';
import type { RestResource, RestSubresource } from '#shared/registry/rest.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import {
  allTransforms,
  customTransforms,
  metadataTransforms,
  type AllowedTransforms,
} from '#shared/serializer/negotiate.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { defaultRows, scaleRows } from '#shared/serializer/table/table-row.ts';
import type { HandlerDependencies } from './handler-dependencies.ts';

/** A resource or subresource as one path serves it. Made once, shared by all requests for it. */
export interface RequestScope {
  /** The server that serves it. */
  readonly env: HandlerDependencies;
  readonly rest: RestResource;
  readonly facts: ResourceFacts;
  readonly subresource: RestSubresource | undefined;
  readonly gvr: GroupVersionResource;
  /** For error texts. */
  readonly resource: GroupResource;
  /** Kind of the bodies: of the resource, or of the subresource. */
  readonly kind: GroupVersionKind;
  readonly apiVersion: string;
  readonly schema: StructSchema;
  /** How objects are printed as rows of a Table. */
  readonly rows: KindRows;
  /** The forms that a client may request instead of the object itself. */
  readonly transforms: AllowedTransforms;
  /** Served JSON is that of the entry: stored in the same group, version and shape, or converted by a webhook. */
  readonly servesStoredJson: boolean;
  /** Identifies the JSON and protobuf form in caches: one stored object may be served in several versions. */
  readonly formId: string;
}

const scopes = new WeakMap<RestResource | RestSubresource, RequestScope>();

/** The scope of a resource, or of one of its subresources, in a server. */
export function scopeOf(
  rest: RestResource,
  subresource: RestSubresource | undefined,
  env: HandlerDependencies,
): RequestScope {
  const owner = subresource ?? rest;
  let scope = scopes.get(owner);
  if (scope?.env !== env) {
    scope = makeScope(rest, subresource, env);
    scopes.set(owner, scope);
  }
  return scope;
}

function makeScope(
  rest: RestResource,
  subresource: RestSubresource | undefined,
  env: HandlerDependencies,
): RequestScope {
  const { facts } = rest;
  const { group, version, resource } = facts;
  const kind = subresource?.facts.kind ?? { group, version, kind: facts.kind };
  const apiVersion = formatGroupVersion(kind);
  // A subresource such as status has the stored object's kind; a Scale does not.
  const ofParent = kind.kind === facts.kind && kind.group === group;
  return {
    env,
    rest,
    facts,
    subresource,
    kind,
    apiVersion,
    gvr: { group, version, resource },
    resource: { group, resource },
    schema: subresource?.schema ?? rest.schema,
    rows: ofParent ? (rest.rows ?? defaultRows) : isScale(kind) ? scaleRows : defaultRows,
    // Subresources of custom resources offer the same forms as custom resources.
    transforms:
      rest.schema.custom !== undefined
        ? customTransforms
        : isTable(rest, subresource)
          ? allTransforms
          : metadataTransforms,
    servesStoredJson:
      ofParent &&
      rest.conversion === undefined &&
      (formatGroupVersion({ group, version }) === facts.storageVersion || rest.store?.convert !== undefined),
    // The paths of a Scale may differ between versions of a custom resource.
    formId: ofParent
      ? `${apiVersion}/${kind.kind}`
      : `${apiVersion}/${kind.kind} of ${formatGroupVersion({ group, version })}`,
  };
}

function isScale({ group, kind }: GroupVersionKind): boolean {
  return group === 'autoscaling' && kind === 'Scale';
}

/** Whether upstream's storage of a resource or subresource converts to Tables (`rest.TableConvertor`). */
function isTable(rest: RestResource, subresource: RestSubresource | undefined): boolean {
  if (subresource === undefined) return rest.store !== undefined || rest.reader !== undefined;
  return (
    subresource.isTable ??
    (subresource.table !== undefined || subresource.status === true || subresource.facts.kind.kind === 'Scale')
  );
}

/**
 * The properties of a request that strategies see. `bodyBytes` is the length of the body itself, since not every
 * request has a Content-Length.
 */
export function operationContext(
  context: RequestContext,
  scope: RequestScope,
  dryRun: boolean,
  bodyBytes = 0,
): OperationContext {
  return {
    user: context.user,
    namespace: scope.facts.namespaced ? context.info.namespace : '',
    dryRun,
    dryRunValues: dryRun ? context.info.query.getAll('dryRun') : undefined,
    subresource: scope.subresource?.facts.name ?? '',
    verb: context.info.verb,
    version: scope.gvr.version,
    resource: scope.resource,
    caller: context.exchange,
    addWarning: (text) => context.addWarning(text),
    audit: context.audit,
    pace: paceFor(scope, bodyBytes),
    nowMs: objectNowMs(),
  };
}

/** The first requests of a kind compile its codecs and may arrive together, so they are paced as large bodies are. */
const firstRequests = 16;
const requestsSoFar = new WeakMap<RequestScope, number>();

function paceFor(scope: RequestScope, bodyBytes: number): Pace {
  const before = requestsSoFar.get(scope) ?? 0;
  if (before >= firstRequests) return paceOf(bodyBytes);
  requestsSoFar.set(scope, before + 1);
  return slicedPace;
}

/** Converts an object of the storage version to the version of the scope. */
export function toServed(scope: RequestScope, stored: KubeObject): KubeObject {
  const { conversion } = scope.rest;
  const object =
    conversion === undefined || scope.subresource?.view !== undefined ? stored : conversion.fromStorage(stored);
  object.kind = scope.kind.kind;
  object.apiVersion = scope.apiVersion;
  return object;
}

/** Converts a served object to the storage version; the store sets apiVersion and kind. */
export function toStorage(scope: RequestScope, served: KubeObject): KubeObject {
  return scope.rest.conversion === undefined ? served : scope.rest.conversion.toStorage(served);
}

/**
 * Whether bodies of the scope are objects of the store (not a Scale or Binding), so that its strategy defaults them.
 */
export function isStrategyDefaulted(scope: RequestScope): boolean {
  return scope.kind.kind === scope.facts.kind && scope.kind.group === scope.facts.group;
}

/** Error texts of the reference name its internal Go types: `*core.ConfigMap`. */
export function goInternalName(kind: { readonly group: string; readonly kind: string }): string {
  // Events of both groups are one internal type.
  const group = kind.group === '' || kind.group === 'events.k8s.io' ? 'core' : (kind.group.split('.')[0] ?? '');
  return `*${group}.${kind.kind}`;
}

/**
 * Whether the cached JSON is of a built-in type and in the version of the request, so that it can be served as it is.
 */
export function isStoredForm(scope: RequestScope): boolean {
  return scope.servesStoredJson && scope.schema.custom === undefined;
}
