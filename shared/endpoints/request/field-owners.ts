import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { managerOf, type WriteOptions } from '#shared/endpoints/options/write-options.ts';
import type { AppliedObject, FieldManager } from '#shared/registry/field-management/field-manager.ts';
import { managersOfParent, managersOfScale } from '#shared/registry/field-management/scale-fields.ts';
import { fieldManagerOf } from '#shared/registry/field-managers.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { isStoredForm, toServed, type RequestScope } from './request-scope.ts';

/** Field management of one request: the manager, and the updates of `metadata.managedFields`. */
export class FieldOwners {
  readonly #scope: RequestScope;
  readonly #operation: OperationContext;
  readonly #fields: FieldManager | undefined;
  readonly #manager: string;
  #leftOut = false;

  constructor(context: RequestContext, scope: RequestScope, options: WriteOptions, operation: OperationContext) {
    this.#scope = scope;
    this.#operation = operation;
    this.#fields = fieldManagerOf(scope.rest, scope.subresource);
    this.#manager = managerOf(options, context.exchange.headers['user-agent'] as string | undefined);
  }

  /**
   * Sets the field owners of a new object, or of a body that is not stored. Modifies the object, as all methods here
   * do.
   */
  *create(object: KubeObject): Steps<void> {
    if (object.metadata !== undefined) yield* this.#track(undefined, object);
  }

  /**
   * The new state to store: the body applied to the stored object, with its field owners.
   *
   * @param entry what the stored object was parsed from
   */
  *write(existing: KubeObject | undefined, body: KubeObject, entry: CacheEntry | undefined): Steps<KubeObject> {
    const isPrinted =
      isStoredForm(this.#scope) && entry?.unprinted === undefined && this.#scope.subresource?.view === undefined;
    yield* this.#track(existing === undefined ? undefined : this.replaced(existing), body, isPrinted);
    return intoParent(this.#scope, this.#operation, existing, body);
  }

  /** From now on, written objects have no managedFields. */
  leaveOut(): void {
    this.#leftOut = true;
  }

  /**
   * Applies a configuration to the stored object. The result is in the version of the request, has its field owners,
   * and shares parts with the stored object.
   */
  *apply(existing: KubeObject | undefined, config: JsonObject, force: boolean): Steps<AppliedObject> {
    if (this.#fields === undefined) throw new Error(`no fields are managed of ${this.#scope.kind.kind}`);
    const live = existing === undefined ? undefined : this.#served(this.replaced(existing));
    return yield* this.#fields.apply({
      live,
      config,
      manager: this.#manager,
      force,
      nowMs: this.#operation.nowMs,
    });
  }

  /** As {@link write}, for a body that has its field owners already. */
  writeApplied(existing: KubeObject | undefined, body: KubeObject): KubeObject {
    return intoParent(this.#scope, this.#operation, existing, body);
  }

  /**
   * The object that the request body replaces: the stored object, or the subresource's view of it with its own
   * managers.
   */
  replaced(existing: KubeObject): KubeObject {
    return replacedBody(this.#scope, existing);
  }

  /** @param isPrinted whether the live object was parsed from its JSON */
  *#track(live: KubeObject | undefined, object: KubeObject, isPrinted = false): Steps<void> {
    if (this.#leftOut) delete object.metadata.managedFields;
    if (this.#leftOut || this.#fields === undefined) return;
    const served = this.#served(object);
    const before = live === undefined ? undefined : this.#served(live);
    yield* this.#fields.update(before, served, this.#manager, this.#operation.nowMs, isPrinted && before === live);
    if (served !== object) setManagers(object, served.metadata.managedFields);
  }

  /**
   * An object in the version of the request, which names the managed fields; strategies work on the storage version.
   */
  #served(object: KubeObject): KubeObject {
    const { rest, schema, kind, facts } = this.#scope;
    if (rest.conversion === undefined || schema.custom !== undefined || kind.kind !== facts.kind) return object;
    return toServed(this.#scope, cloneJson(object));
  }
}

/** The body that a write of a subresource replaces: the stored object, or a view of it with its own managers. */
export function replacedBody({ subresource }: RequestScope, existing: KubeObject, showsManagers = true): KubeObject {
  if (subresource?.view === undefined) return existing;
  const body = subresource.view.readToWrite?.(existing) ?? subresource.view.read(existing);
  if (showsManagers && subresource.replicasPath !== undefined)
    setManagers(body, managersOfScale(existing.metadata, subresource.replicasPath));
  return body;
}

/** Writes the body of a subresource that is a view into its parent, with the managers of both. */
export function intoParent(
  { subresource, facts }: RequestScope,
  operation: OperationContext,
  existing: KubeObject | undefined,
  body: KubeObject,
): KubeObject {
  if (subresource?.view === undefined || existing === undefined) return body;
  const managers =
    subresource.replicasPath === undefined
      ? body.metadata.managedFields
      : managersOfParent(
          existing.metadata,
          body.metadata,
          facts.group === '' ? facts.version : `${facts.group}/${facts.version}`,
          subresource.replicasPath,
        );
  const parent = subresource.view.write(existing, body, operation);
  setManagers(parent, managers);
  return parent;
}

function setManagers({ metadata }: KubeObject, managers: ManagedFieldsEntry[] | undefined): void {
  if (managers === undefined) delete metadata.managedFields;
  else metadata.managedFields = managers;
}
