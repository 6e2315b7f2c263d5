import { newBadRequest, plainFailure } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion, formatGroupVersionKind, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import { ConflictError } from '#shared/apimachinery/managed-fields/managers.ts';
import { TypedValueError, type TypedValue } from '#shared/apimachinery/managed-fields/typed-value.ts';
import { Updater } from '#shared/apimachinery/managed-fields/updater.ts';
import { asKubeObject, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { newFieldConflict } from './apply-conflict.ts';
import { kindTextOf } from './apply-failure.ts';
import { capUpdateManagers } from './cap-update-managers.ts';
import { conflictsBeyondLastApplied, keepLastApplied } from './last-applied.ts';
import {
  decodeManagedFields,
  encodeManagedFields,
  isReset,
  ManagedFieldsError,
  type ManagedFields,
} from './managed-fields.ts';
import { managerIdentifier } from './manager-identifier.ts';
import { strip } from './never-owned.ts';
import { noManagers, readableManagers } from './readable-managers.ts';
import { secondText } from './second-text.ts';
import type { TypedVersions } from './typed-versions.ts';

export interface FieldManagerOptions {
  /** The kind of the objects that the manager gets. */
  readonly kind: GroupVersionKind;
  /** Name of the subresource, or empty. */
  readonly subresource: string;
  /** The kind's types in all its versions. */
  readonly versions: TypedVersions;
  /** Fields that writes of this (sub)resource cannot change, by version: such a write makes no manager their owner. */
  readonly resetFields?: ReadonlyMap<string, FieldSet> | undefined;
  /**
   * If set, an apply that changes more than managed fields is refused with this reason (the Scale of a custom resource,
   * which the reference cannot build from an applied configuration).
   */
  readonly refusesApply?: string;
}

export interface ApplyRequest {
  /** The stored object in the version of the request; undefined creates one. */
  readonly live: KubeObject | undefined;
  /** The apply configuration as the client sent it. */
  readonly config: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  readonly nowMs: number;
}

interface Merged {
  readonly merged: TypedValue;
  readonly managed: ManagedFields;
  readonly isUnchanged: boolean;
}

/** The result of an apply. */
export interface AppliedObject {
  readonly object: KubeObject;
  /** Whether the object is the live one, but for its managers. */
  readonly isUnchanged: boolean;
}

/** Placeholder of the manager of an update, until it is known whether the update changes anything. */
const current = 'current-operation';

/** The manager of server-side apply that takes over the fields of client-side apply. */
const kubectl = 'kubectl';

/**
 * Keeps `metadata.managedFields` of one resource or subresource in one version (apimachinery/pkg/util/managedfields).
 * Objects are in that version; they need not be in canonical form.
 */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #apiVersion: string;
  readonly #updater: Updater;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#apiVersion = formatGroupVersion(options.kind);
    this.#updater = new Updater({ converter: options.versions, resetFields: options.resetFields });
  }

  /**
   * Sets the managed fields of `object`, which replaces `live` (undefined on create). An object that does not fit its
   * type gets no managed fields: an update never fails because of them.
   *
   * @param isPrinted whether `live` was parsed from the JSON of its type
   */
  *update(
    live: KubeObject | undefined,
    object: KubeObject,
    manager: string,
    nowMs: number,
    isPrinted = false,
  ): Steps<void> {
    const before = yield* this.#managedOf(live, object);
    delete object.metadata.managedFields;
    // An object without managed fields gets none by an update.
    if (before.sets.size === 0 && live?.metadata.uid) return;
    const { versions } = this.#options;
    try {
      const typedLive = live === undefined ? versions.empty : yield* versions.typed(live, isPrinted);
      const updated = yield* versions.typed(object);
      yield* encodeManagedFields(object.metadata, yield* this.#update(typedLive, updated, before, manager, nowMs));
    } catch (error) {
      if (!(error instanceof TypedValueError)) throw error;
    }
  }

  /**
   * Returns the merged object, in the version of the request but neither conformed nor defaulted.
   * @throws StatusError 400 for a configuration of another kind, 409 for conflicts, 500 for one that does not fit its
   *   type
   */
  *apply(request: ApplyRequest): Steps<AppliedObject> {
    const { config, manager } = request;
    this.#checkConfig(config);
    try {
      const { merged, managed, isUnchanged } =
        manager === kubectl ? yield* this.#applyOfKubectl(request) : yield* this.#apply(request);
      const object = asKubeObject({ ...(merged.value as JsonObject) });
      object.metadata = { ...object.metadata };
      if (manager === kubectl) keepLastApplied(object, config);
      yield* encodeManagedFields(object.metadata, managed);
      return { object, isUnchanged };
    } catch (error) {
      if (error instanceof ConflictError) throw newFieldConflict(error.conflicts);
      if (error instanceof TypedValueError) throw plainFailure(this.#mergeFailure(request, error.message));
      throw error;
    }
  }

  /** The configuration has passed validation before, so the cause of a failed merge is the live object. */
  #mergeFailure({ live }: ApplyRequest, message: string): string {
    const misfit = live === undefined ? undefined : this.#options.versions.misfit(live);
    return live === undefined || misfit === undefined ? message : this.#liveFailure(live, misfit.message);
  }

  /**
   * The managers before an update: those that the client sent, if it sent any and writes no subresource, otherwise
   * those of the live object.
   */
  *#managedOf(live: KubeObject | undefined, object: KubeObject): Steps<ManagedFields> {
    const sent = object.metadata.managedFields;
    if (this.#options.subresource === '') {
      if (isReset(sent)) return noManagers;
      const managed = yield* readableManagers(sent);
      if (managed.sets.size > 0) return managed;
    }
    return yield* readableManagers(live?.metadata.managedFields);
  }

  *#update(
    live: TypedValue,
    updated: TypedValue,
    before: ManagedFields,
    manager: string,
    nowMs: number,
  ): Steps<ManagedFields> {
    const sets = new Map(
      yield* this.#updater.update({
        live,
        updated,
        apiVersion: this.#apiVersion,
        managers: before.sets,
        manager: current,
      }),
    );
    const times = new Map(before.times);
    strip(sets, current);
    const changed = sets.get(current);
    if (changed !== undefined) {
      const identifier = this.#identifier(manager, 'Update');
      const owned = sets.get(identifier);
      sets.delete(current);
      sets.set(identifier, owned === undefined ? changed : { ...changed, set: changed.set.union(owned.set) });
      times.set(identifier, secondText(nowMs));
    }
    if (isSliced()) yield;
    capUpdateManagers(sets, times);
    return { sets, times };
  }

  *#apply({ live, config, manager, force, nowMs }: ApplyRequest): Steps<Merged> {
    const { versions, refusesApply } = this.#options;
    const before = yield* this.#managersBeforeApply(live, nowMs);
    const identifier = this.#identifier(manager, 'Apply');
    const typedConfig = yield* this.#typedConfig(config);
    const typedLive = live === undefined ? versions.empty : yield* this.#typedLive(live);
    const { merged, managers, unchanged } = yield* this.#updater.apply({
      live: typedLive,
      config: typedConfig,
      apiVersion: this.#apiVersion,
      managers: before.sets,
      manager: identifier,
      force,
    });
    if (!unchanged && refusesApply !== undefined)
      throw plainFailure(
        `failed to convert new object (${this.#nameOf(asKubeObject(config))}) to proper version: ${refusesApply}`,
      );
    const sets = new Map(managers);
    strip(sets, identifier);
    const times = unchanged ? before.times : new Map(before.times).set(identifier, secondText(nowMs));
    return { merged: unchanged ? typedLive : merged, managed: { sets, times }, isUnchanged: unchanged };
  }

  /** The managers before an apply. All fields of a live object without managers get the owner `before-first-apply`. */
  *#managersBeforeApply(live: KubeObject | undefined, nowMs: number): Steps<ManagedFields> {
    let managed: ManagedFields;
    try {
      managed = yield* decodeManagedFields(live?.metadata.managedFields);
    } catch (error) {
      if (error instanceof ManagedFieldsError) throw plainFailure(`failed to decode managed fields: ${error.message}`);
      throw error;
    }
    if (managed.sets.size > 0 || live === undefined) return managed;
    const { refusesApply: reason, kind } = this.#options;
    if (reason !== undefined) {
      throw plainFailure(
        `failed to create manager for existing fields: failed to convert live object (/; ${formatGroupVersionKind(kind)}) to proper version: ${reason}`,
      );
    }
    try {
      const { versions } = this.#options;
      return yield* this.#update(versions.empty, yield* versions.typed(live), managed, 'before-first-apply', nowMs);
    } catch (error) {
      if (!(error instanceof TypedValueError)) throw error;
      throw plainFailure(
        `failed to create manager for existing fields: failed to convert new object (${this.#nameOf(live)}) to smd typed: ${(this.#options.versions.misfit(live) ?? error).message}`,
      );
    }
  }

  /** Applies for kubectl: fields that its annotation covers, and that are unchanged since, cause no conflict. */
  *#applyOfKubectl(request: ApplyRequest): Steps<Merged> {
    try {
      return yield* this.#apply(request);
    } catch (error) {
      if (!(error instanceof ConflictError) || request.live === undefined) throw error;
      const left = conflictsBeyondLastApplied(error.conflicts, request.live, this.#apiVersion, this.#options.versions);
      if (left === undefined) throw error;
      if (left.length > 0) throw new ConflictError(left);
      return yield* this.#apply({ ...request, force: true });
    }
  }

  #checkConfig(config: JsonObject): void {
    const kind = kindTextOf(config);
    const { kind: wanted } = this.#options;
    if (kind !== formatGroupVersionKind(wanted)) throw newBadRequest(`invalid object type: ${kind}`);
    const { metadata } = config;
    if (isObject(metadata) && Array.isArray(metadata['managedFields']))
      throw newBadRequest('metadata.managedFields must be nil');
  }

  *#typedConfig(config: JsonObject): Steps<TypedValue> {
    try {
      return yield* this.#options.versions.validated(config);
    } catch (error) {
      if (!(error instanceof TypedValueError)) throw error;
      const at = `${stringAt(config, 'metadata', 'namespace')}/${stringAt(config, 'metadata', 'name')}; ${formatGroupVersionKind(this.#options.kind)}`;
      throw plainFailure(`failed to create typed patch object (${at}): ${error.message}`);
    }
  }

  *#typedLive(live: KubeObject): Steps<TypedValue> {
    try {
      return yield* this.#options.versions.typed(live);
    } catch (error) {
      throw error instanceof TypedValueError ? plainFailure(this.#liveFailure(live, error.message)) : error;
    }
  }

  #liveFailure(live: KubeObject, message: string): string {
    return `failed to create typed live object (${this.#nameOf(live)}): ${message}`;
  }

  #nameOf({ metadata }: KubeObject): string {
    return `${metadata.namespace ?? ''}/${metadata.name ?? ''}; ${formatGroupVersionKind(this.#options.kind)}`;
  }

  #identifier(manager: string, operation: 'Apply' | 'Update'): string {
    const { subresource } = this.#options;
    return managerIdentifier({
      manager: manager === '' ? 'unknown' : manager,
      operation,
      apiVersion: this.#apiVersion,
      subresource,
    });
  }
}
