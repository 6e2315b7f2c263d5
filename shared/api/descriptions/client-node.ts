import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ClientTexts } from './choose-description.ts';
import { parseDeclarations } from './parse-declarations.ts';
import type { Declaration } from './parse-declarations.ts';

/** Quotes, and the underscore in an `*_/` or `/_*` that would end or begin a comment. */
const escapes = /\\(?=['"\\`])|(?<=\*)_(?=\/)|(?<=\/)_(?=\*)/g;

/**
 * Texts of the declarations of @kubernetes/client-node, which has all versions, but no line breaks and no texts of
 * fields that are references.
 */
export class ClientNode implements ClientTexts {
  readonly #folder = join(dirname(createRequire(import.meta.url).resolve('@kubernetes/client-node')), 'gen/models');
  readonly #declarations = new Map<string, Declaration | undefined>();

  ofModel(model: string): string {
    return this.#declarationOf(model)?.text ?? '';
  }

  ofField(model: string, name: string): { readonly own: string; readonly referred: string } {
    const fields = this.#declarationOf(model)?.fields;
    const field = spellings(name).flatMap((spelling) => fields?.get(spelling) ?? [])[0];
    if (field === undefined) return { own: '', referred: '' };
    return { own: field.text, referred: this.#declared(field.type)?.text ?? '' };
  }

  /** `V1Pod`, or with the group before it where several groups have the kind: `CoreV1Event`. */
  #declarationOf(model: string): Declaration | undefined {
    const [name = '', version = '', group = ''] = model.split('.').toReversed();
    return this.#declared(capital(group) + capital(version) + name) ?? this.#declared(capital(version) + name);
  }

  #declared(className: string): Declaration | undefined {
    if (!this.#declarations.has(className)) {
      const path = join(this.#folder, `${className}.d.ts`);
      this.#declarations.set(className, existsSync(path) ? readDeclarations(path).get(className) : undefined);
    }
    return this.#declarations.get(className);
  }
}

function readDeclarations(path: string): ReadonlyMap<string, Declaration> {
  const source = readFileSync(path, 'utf8');
  // The first comment is about the file. A class without a comment would get it.
  return parseDeclarations(source.slice(source.indexOf('*/')), escapes);
}

/** How the client's generator may have written a name that TypeScript reserves. */
function spellings(name: string): string[] {
  return [name, `_${name}`, name.replace(/^\$/, ''), name.replaceAll('-', '_'), `_${name.replaceAll('-', '_')}`];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
