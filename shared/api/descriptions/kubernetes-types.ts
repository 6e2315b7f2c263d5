import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDeclarations } from './parse-declarations.ts';
import type { Declaration } from './parse-declarations.ts';

/** Texts of the declarations of kubernetes-types, of an older release: a file for each package. */
export class KubernetesTypes {
  readonly #folder = new URL('.', import.meta.resolve('kubernetes-types/package.json'));
  readonly #packages = new Map<string, ReadonlyMap<string, Declaration>>();

  /** The text of a field, or with the empty name that of the model. */
  text(model: string, field: string): string {
    const [name = '', version = '', group = ''] = model.split('.').toReversed();
    const declaration = this.#package(`${group}/${version}.d.ts`).get(name);
    return (field === '' ? declaration?.text : declaration?.fields.get(field)?.text) ?? '';
  }

  #package(file: string): ReadonlyMap<string, Declaration> {
    let found = this.#packages.get(file);
    if (found === undefined) {
      const path = fileURLToPath(new URL(file, this.#folder));
      // No character is escaped.
      found = existsSync(path) ? parseDeclarations(readFileSync(path, 'utf8'), /$^/g) : new Map();
      this.#packages.set(file, found);
    }
    return found;
  }
}
