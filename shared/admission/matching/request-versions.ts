import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import { formatGroupVersionKind, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';

/** The objects of one request in the versions that hooks ask for, each converted once. */
export class RequestVersions {
  readonly #attributes: AdmissionAttributes;
  readonly #made = new Map<string, VersionedAttributes>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** Hooks of one version get the same result, until {@link take}. */
  *of(kind: GroupVersionKind): Steps<VersionedAttributes> {
    const name = formatGroupVersionKind(kind);
    let made = this.#made.get(name);
    if (made === undefined) this.#made.set(name, (made = yield* this.#make(kind)));
    return made;
  }

  /** Replaces the object of the request by an object of `kind` that a hook has changed. */
  *take(changed: KubeObject, kind: GroupVersionKind): Steps<void> {
    const { object, versions } = this.#attributes;
    if (object === undefined) throw new Error('a request without an object cannot be changed');
    yield* versions.take(object, changed, kind);
    this.#made.clear();
  }

  *#make(kind: GroupVersionKind): Steps<VersionedAttributes> {
    const { object, oldObject, versions } = this.#attributes;
    return {
      attributes: this.#attributes,
      kind,
      schema: versions.schema(kind),
      ...(object === undefined ? {} : { object: yield* versions.show(object, kind) }),
      ...(oldObject === undefined ? {} : { oldObject: yield* versions.show(oldObject, kind) }),
    };
  }
}
