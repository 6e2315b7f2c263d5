import type { GroupVersionKind, GroupVersionResource } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';

/** A resource in one version, and the kind of its objects, or of the bodies of its subresource. */
export interface ResourceMatch {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/**
 * The versions of the resource of a request. Plugins get objects as the registry holds them, in the storage version;
 * hooks of users see them in the version that they ask for.
 */
export interface ObjectVersions {
  /**
   * The versions of the resource, this one included, in which its objects can be shown; those without the subresource
   * of the request are left out (upstream's EquivalentResourceMapper).
   */
  readonly equivalents: readonly ResourceMatch[];
  /** The type of the objects of a kind. */
  schema(kind: GroupVersionKind): StructSchema;
  /** The labels of an object of the request, or of the body that its subresource shows of it (a Scale has none). */
  labelsOf(object: KubeObject): Readonly<Record<string, string>> | undefined;
  /** An object of the request as an object of `kind`. It may share parts with the object, so it must not be changed. */
  show(object: KubeObject, kind: GroupVersionKind): Steps<KubeObject>;
  /**
   * Makes a changed object of `kind` the object of the request: reads it by its type, sets defaults, converts it, and
   * replaces the members of `object` by its members. Keeps the parts of `changed`.
   */
  take(object: KubeObject, changed: KubeObject, kind: GroupVersionKind): Steps<void>;
}
