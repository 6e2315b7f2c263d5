import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** What the check reads of a definition. */
export interface Definition {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: JsonObject };
      readonly subresources?: JsonObject;
    }[];
  };
}

export interface PublishedDefinition {
  readonly project: string;
  readonly definition: Definition;
  /** How many validation rules (CEL) it has. */
  readonly rules: number;
}

/** Where the modules of go.mod keep their definitions. */
const folders: Readonly<Record<string, readonly string[]>> = {
  'github.com/cert-manager/cert-manager': ['deploy/crds'],
  'github.com/kyverno/kyverno': [
    'config/crds/kyverno',
    'config/crds/policies.kyverno.io',
    'config/crds/policyreport',
    'config/crds/reports',
  ],
  'github.com/prometheus-operator/prometheus-operator': ['example/prometheus-operator-crd-full'],
  'sigs.k8s.io/cluster-api': [
    'config/crd/bases',
    'bootstrap/kubeadm/config/crd/bases',
    'controlplane/kubeadm/config/crd/bases',
    'cmd/clusterctl/config/crd/bases',
  ],
  'sigs.k8s.io/gateway-api': ['config/crd/experimental'],
};

/** The definitions of the modules that go.mod names, fetched into Go's module cache. Each name once. */
export function publishedDefinitions(): PublishedDefinition[] {
  const versions = [...readFileSync(join(import.meta.dirname, 'go.mod'), 'utf8').matchAll(/^\t(\S+) (\S+)$/gm)].map(
    ([, path, version]) => `${path}@${version}`,
  );
  const printed = execFileSync('go', ['mod', 'download', '-json', ...versions], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const modules = printed
    .split(/^(?=\{)/m)
    .map((text) => JSON.parse(text) as { readonly Path: string; readonly Dir: string });
  const found = modules.flatMap(({ Path, Dir }) =>
    (folders[Path] ?? []).flatMap((folder) =>
      definitionsIn(join(Dir, folder)).map((definition) => publish(Path, definition)),
    ),
  );
  return [...new Map(found.map((published) => [published.definition.metadata.name, published])).values()];
}

function definitionsIn(folder: string): Definition[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted();
  return files
    .flatMap((file) => loadAll(readFileSync(join(folder, file), 'utf8')) as (Definition | null)[])
    .filter((object) => object?.kind === 'CustomResourceDefinition') as Definition[];
}

function publish(module: string, definition: Definition): PublishedDefinition {
  let rules = 0;
  JSON.stringify(definition, (key, value: unknown) => {
    if (key === 'x-kubernetes-validations' && Array.isArray(value)) rules += value.length;
    return value;
  });
  return { project: module.slice(module.lastIndexOf('/') + 1), definition, rules };
}
