import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';

/** The namespace of one request, read once for all hooks that want it. */
export class RequestNamespace {
  readonly #lister: ObjectLister;
  readonly #name: string;
  #found: KubeObject | Promise<KubeObject> | undefined;

  /** @param lister lists the namespaces */
  constructor(lister: ObjectLister, { namespace }: AdmissionAttributes) {
    this.#lister = lister;
    this.#name = namespace;
  }

  /**
   * The namespace, at once where the cache has it. Looks into storage before it says that it does not exist.
   * @throws StatusError 404 (the promise rejects)
   */
  require(): KubeObject | Promise<KubeObject> {
    return (this.#found ??= this.#lister.peek('', this.#name) ?? this.#readFresh());
  }

  async #readFresh(): Promise<KubeObject> {
    const found = await this.#lister.getFresh('', this.#name);
    if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, this.#name);
    return found;
  }
}
