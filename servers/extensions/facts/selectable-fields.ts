import { valueAt, type KubeObject } from '#shared/apimachinery/object.ts';

/** The fields by which the custom resources of a definition can be selected, in any of its versions. */
export class SelectableFields {
  readonly #fields: readonly { readonly name: string; readonly path: readonly string[] }[];

  /** @param paths JSON paths, such as `.spec.color` */
  constructor(paths: readonly string[]) {
    this.#fields = [...new Set(paths)].map((path) => {
      // The name of a field in a selector is its path without the leading dot.
      const name = path.replace(/^\./, '');
      return { name, path: name.split('.') };
    });
  }

  /** The values of the fields of an object; undefined if there are no such fields. */
  valuesOf(object: KubeObject): Record<string, string> | undefined {
    if (this.#fields.length === 0) return undefined;
    return Object.fromEntries(this.#fields.map(({ name, path }) => [name, fieldText(valueAt(object, ...path))]));
  }
}

function fieldText(value: ReturnType<typeof valueAt>): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
