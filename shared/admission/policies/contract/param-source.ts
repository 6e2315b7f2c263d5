import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Value } from '#shared/cel/values/value.ts';

export type LabelFilter = (labels: Readonly<Record<string, string>> | undefined) => boolean;

/** A parameter of a policy. */
export interface Param {
  readonly object: KubeObject;
  /** The object as expressions read it. */
  readonly value: Value;
}

/** The objects of one kind, as parameters of policies. */
export interface ParamLister {
  readonly namespaced: boolean;
  /** True once the present objects are known; {@link get} and {@link list} are for then. */
  isReady(): boolean;
  /** Resolves when {@link isReady}; rejects if the objects cannot be read now. */
  ready(): Promise<void>;
  /**
   * `namespace` is empty for a cluster-scoped kind. A promise where a webhook has to convert the object; it rejects with
   * the webhook's error.
   */
  get(namespace: string, name: string): Param | undefined | Promise<Param | undefined>;
  /**
   * The objects in the namespace whose labels are wanted, in the order of their names; a promise as for {@link get}.
   * Only these are parsed, but for those that a webhook converts, which may change labels.
   */
  list(namespace: string, isWanted: LabelFilter): readonly Param[] | Promise<readonly Param[]>;
}

/** Finds the objects of the kinds that policies name in `paramKind`. */
export interface ParamSource {
  /**
   * Undefined if no such kind is served. The lister stays open until the user calls {@link keepOnly} without the kind.
   * Never rejects.
   */
  find(user: object, kind: GroupVersionKind): Promise<ParamLister | undefined>;
  /** Ends the work for kinds that this user no longer names. */
  keepOnly(user: object, kinds: readonly GroupVersionKind[]): void;
  /** Ends all work; called when the last request has been served. */
  close(): void;
}
