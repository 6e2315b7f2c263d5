import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { typedValue } from '#shared/admission/expressions/typed-value.ts';
import type { LabelFilter, Param, ParamLister } from '#shared/admission/policies/contract/param-source.ts';
import type { ResourceFacts } from '#shared/api/facts.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';

/** Parameters of a built-in kind, from the watch caches of this process. */
export class BuiltInParams implements ParamLister {
  readonly namespaced: boolean;
  readonly #lister: ObjectLister;
  readonly #schema: StructSchema;
  readonly #convert: (object: KubeObject) => KubeObject;
  readonly #params = new WeakMap<KubeObject, Param>();

  /** @param convert converts a stored object to the version of the kind */
  constructor(
    caches: ObjectCaches,
    { group, resource, storagePrefix, namespaced }: ResourceFacts,
    schema: StructSchema,
    convert: (object: KubeObject) => KubeObject,
  ) {
    this.namespaced = namespaced;
    this.#lister = new ObjectLister(caches, group, resource, storagePrefix);
    this.#schema = schema;
    this.#convert = convert;
  }

  isReady(): boolean {
    return this.#lister.isReady();
  }

  ready(): Promise<void> {
    return this.#lister.ready();
  }

  get(namespace: string, name: string): Param | undefined {
    const found = this.#lister.find(namespace, name);
    return found === undefined ? undefined : this.#paramOf(found);
  }

  list(namespace: string, isWanted: LabelFilter): readonly Param[] {
    return this.#lister.list(namespace, isWanted).map((object) => this.#paramOf(object));
  }

  close(): void {
    this.#lister.close();
  }

  #paramOf(stored: KubeObject): Param {
    let param = this.#params.get(stored);
    if (param === undefined) {
      const object = this.#convert(stored);
      this.#params.set(stored, (param = { object, value: typedValue(this.#schema, object) }));
    }
    return param;
  }
}
