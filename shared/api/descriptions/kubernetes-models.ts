import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDeclarations } from './parse-declarations.ts';
import type { Declaration } from './parse-declarations.ts';

/** Packages whose declarations keep line breaks, and the texts of fields that are references; stable versions only. */
const packages = [import.meta.resolve('kubernetes-models'), import.meta.resolve('@kubernetes-models/apimachinery')];

const escapes = /\\(?=[*/])/g;

/** Each file ends by exporting its interface under its model's name: `IContainer as IIoK8sApiCoreV1Container`. */
const exportedName = /(\w+) as I(IoK8s\w+)[, ]/;

/** The declarations of all models of kubernetes-models, by {@link exportNameOf} of the model's name. */
export function readKubernetesModels(): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const installed of packages) {
    const folder = dirname(fileURLToPath(installed));
    for (const path of globSync('**/*.d.ts', { cwd: folder, exclude: ['_schemas', 'node_modules'] })) {
      const source = readFileSync(join(folder, path), 'utf8');
      const [, name = '', model = ''] = exportedName.exec(source) ?? [];
      const declaration = parseDeclarations(source, escapes).get(name);
      if (declaration !== undefined) found.set(model, withoutTags(declaration));
    }
  }
  return found;
}

/** `io.k8s.api.core.v1.Container` → `IoK8sApiCoreV1Container`. */
export function exportNameOf(model: string): string {
  return model.replaceAll(/(?:^|[.-])(.)/g, (_, first: string) => first.toUpperCase());
}

function withoutTags({ text, fields }: Declaration): Declaration {
  const plain = (of: string): string => of.replace(/\n@deprecated$/, '');
  return {
    text: plain(text),
    fields: new Map([...fields].map(([name, field]) => [name, { ...field, text: plain(field.text) }])),
  };
}
