import type { ObjectVersions, ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import {
  formatGroupVersion,
  formatGroupVersionKind,
  parseGroupVersion,
  type GroupVersionKind,
} from '#shared/apimachinery/gvk.ts';
import { cloneInSteps, shallowCopy } from '#shared/apimachinery/json/clone.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { doneWith, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { conformRestored } from '#shared/serializer/json/restore.ts';
import { intoParent, replacedBody } from './field-owners.ts';
import { converted } from './request-body.ts';
import { isStrategyDefaulted, scopeOf, type RequestScope } from './request-scope.ts';

/** A resource in one version. Of a custom resource, the objects of a request are in the version of the request. */
interface Equivalent extends ResourceMatch {
  readonly scope: RequestScope;
}

const equivalentsOf = new WeakMap<RequestScope, readonly Equivalent[]>();

/** The versions of the objects of a request to one scope. */
export class ScopeVersions implements ObjectVersions {
  readonly #scope: RequestScope;
  readonly #operation: OperationContext | undefined;
  readonly #showsManagers: boolean;

  /** @param showsManagers whether a Scale has the managers of its parent: only hooks that change it see them */
  constructor(scope: RequestScope, operation: OperationContext | undefined, showsManagers: boolean) {
    this.#scope = scope;
    this.#operation = operation;
    this.#showsManagers = showsManagers;
  }

  get equivalents(): readonly Equivalent[] {
    let known = equivalentsOf.get(this.#scope);
    if (known === undefined) equivalentsOf.set(this.#scope, (known = findEquivalents(this.#scope)));
    return known;
  }

  schema(kind: GroupVersionKind): StructSchema {
    return this.#scopeOf(kind).schema;
  }

  labelsOf(object: KubeObject): Readonly<Record<string, string>> | undefined {
    const { subresource } = this.#scope;
    const isPart = subresource?.view !== undefined && !isStrategyDefaulted(this.#scope);
    return (isPart ? subresource.view.read(object) : object).metadata.labels;
  }

  *show(object: KubeObject, kind: GroupVersionKind): Steps<KubeObject> {
    const { subresource } = this.#scope;
    if (subresource?.view !== undefined && !isStrategyDefaulted(this.#scope))
      return replacedBody(this.#scope, object, this.#showsManagers);
    const target = this.#scopeOf(kind);
    const apiVersion = formatGroupVersion(kind);
    const isThere = target === this.#scope && target.schema.custom !== undefined;
    const { conversion, siblings } = target.rest;
    if (siblings?.convert !== undefined && isStrategyDefaulted(target) && object.apiVersion !== apiVersion)
      return yield* siblings.convert(object, apiVersion);
    if (conversion === undefined || isThere || !isStrategyDefaulted(target)) {
      if (object.apiVersion === apiVersion && object.kind === kind.kind) return object;
      return Object.assign(asKubeObject(shallowCopy(object)), { apiVersion, kind: kind.kind });
    }
    const shown = conversion.fromStorage(yield* cloneInSteps(object));
    return Object.assign(shown, { apiVersion, kind: kind.kind });
  }

  *take(object: KubeObject, changed: KubeObject, kind: GroupVersionKind): Steps<void> {
    const source = this.#scopeOf(kind);
    const { object: typed } =
      source.schema.custom === undefined
        ? yield* conformRestored(source.schema, changed, { strict: false, keepsOrder: true })
        : yield* conform(source.schema, changed, { strict: false });
    if (source.schema.custom !== undefined || source.schema.byName.has('metadata')) typed.metadata ??= {};
    const stored = yield* converted(source, typed, (reason) => new Error(reason));
    const whole = this.#intoParent(object, yield* this.#toRequested(stored, source));
    for (const key of Object.keys(object)) if (!Object.hasOwn(whole, key)) Reflect.deleteProperty(object, key);
    for (const key of Object.keys(whole)) setKey(object, key, whole[key] ?? null);
  }

  /** Of a custom resource, another version becomes that of the request; built-in ones are in the storage version. */
  *#toRequested(stored: KubeObject, source: RequestScope): Steps<KubeObject> {
    const { schema, rest, apiVersion } = this.#scope;
    if (schema.custom === undefined || source === this.#scope) return yield* doneWith(stored);
    if (rest.siblings?.convert !== undefined) return yield* rest.siblings.convert(stored, apiVersion);
    return rest.conversion?.fromStorage(stored) ?? Object.assign(stored, { apiVersion });
  }

  #intoParent(parent: KubeObject, body: KubeObject): KubeObject {
    const { subresource } = this.#scope;
    if (subresource?.view === undefined || isStrategyDefaulted(this.#scope)) return body;
    if (this.#operation === undefined) throw new Error('a connection has no parent object');
    return intoParent(this.#scope, this.#operation, parent, body);
  }

  #scopeOf(kind: GroupVersionKind): RequestScope {
    const wanted = formatGroupVersionKind(kind);
    if (formatGroupVersionKind(this.#scope.kind) === wanted) return this.#scope;
    const found = this.equivalents.find((other) => formatGroupVersionKind(other.kind) === wanted);
    if (found === undefined) throw new Error(`unable to convert to ${wanted}: unknown kind`);
    return found.scope;
  }
}

/** Events are one resource in two groups; otherwise the versions of one group are equivalent. */
function findEquivalents({ env, rest, subresource }: RequestScope): Equivalent[] {
  const { group, version, resource } = rest.facts;
  const own = rest.siblings?.apiVersions ?? [formatGroupVersion({ group, version })];
  const apiVersions = resource === 'events' && eventVersions.includes(own[0] ?? '') ? eventVersions : own;
  return apiVersions.flatMap((apiVersion) => {
    const other = parseGroupVersion(apiVersion);
    const found =
      other.group === group && other.version === version
        ? rest
        : (rest.siblings?.find(apiVersion) ?? env.resources.find(other.group, other.version, resource));
    const name = subresource?.facts.name;
    const part = name === undefined ? undefined : found?.subresources.get(name);
    if (found === undefined || (name !== undefined && part === undefined)) return [];
    const scope = scopeOf(found, part, env);
    return [{ resource: scope.gvr, kind: scope.kind, scope }];
  });
}

const eventVersions = ['v1', 'events.k8s.io/v1'];
