import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';

/** The namespace of one request, read once for all hooks that want it. */
export class RequestNamespace {
  readonly #lister: ObjectLister;
  readonly #name: string;
  #read: Promise<KubeObject | undefined> | undefined;

  /** @param lister lists the namespaces */
  constructor(lister: ObjectLister, { namespace }: AdmissionAttributes) {
    this.#lister = lister;
    this.#name = namespace;
  }

  /** Looks into storage before it says that a namespace does not exist. */
  read(): Promise<KubeObject | undefined> {
    return (this.#read ??= this.#lister.getFresh('', this.#name));
  }

  /** @throws StatusError 404 */
  async require(): Promise<KubeObject> {
    const found = await this.read();
    if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, this.#name);
    return found;
  }
}
