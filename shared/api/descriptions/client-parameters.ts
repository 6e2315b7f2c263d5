import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { generalParameters } from '#shared/api/scalar-models.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { restoreLines } from './restore-lines.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const core = 'io.k8s.api.core.v1';

/** Operations of the client whose parameters are the fields of a type, which itself is in no package. */
const optionTypes: Readonly<Record<string, string>> = {
  listNamespacedPod: `${meta}.ListOptions`,
  createNamespacedPod: `${meta}.CreateOptions`,
  replaceNamespacedPod: `${meta}.UpdateOptions`,
  patchNamespacedPod: `${meta}.PatchOptions`,
  readNamespacedPodLog: `${core}.PodLogOptions`,
  connectGetNamespacedPodAttach: `${core}.PodAttachOptions`,
  connectGetNamespacedPodExec: `${core}.PodExecOptions`,
  connectGetNamespacedPodPortforward: `${core}.PodPortForwardOptions`,
  connectGetNamespacedPodProxy: `${core}.PodProxyOptions`,
  connectGetNamespacedServiceProxy: `${core}.ServiceProxyOptions`,
  connectGetNodeProxy: `${core}.NodeProxyOptions`,
  // Their `namespace`, `pretty` and `path` are of no type.
  readNamespacedPod: generalParameters,
  connectGetNamespacedPodProxyWithPath: generalParameters,
};

const parameterLine = /^ +\* @param _?(\S+) (\S.*)$/;
const operationLine = /^ {4}(\w+)\(/;
const entities: Readonly<Record<string, string>> = {
  '#x60': '`',
  '#x3D': '=',
  '#39': "'",
  quot: '"',
  lt: '<',
  gt: '>',
  amp: '&',
};

/** Texts of parameters, from the comments of the operations of @kubernetes/client-node: by type and field. */
export function readClientParameters(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const folder = dirname(createRequire(import.meta.url).resolve('@kubernetes/client-node'));
  const found = new Map<string, ReadonlyMap<string, string>>();
  let parameters = new Map<string, string>();
  for (const line of readFileSync(join(folder, 'gen/apis/CoreV1Api.d.ts'), 'utf8').split('\n')) {
    const [, name, text] = parameterLine.exec(line) ?? [];
    if (name !== undefined && text !== undefined) parameters.set(name, unescape(text));
    const operation = operationLine.exec(line)?.[1];
    if (operation === undefined) continue;
    const type = getKey(optionTypes, operation);
    if (type !== undefined) found.set(type, new Map([...withLines(type, parameters), ...(found.get(type) ?? [])]));
    parameters = new Map();
  }
  return found;
}

/** Types of core are older: in their texts two blanks are just that. */
function withLines(type: string, texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (type.startsWith(core)) return texts;
  return new Map([...texts].map(([name, text]) => [name, restoreLines(text)]));
}

function unescape(text: string): string {
  return text
    .replaceAll(/&([^;]+);/g, (whole, name: string) => getKey(entities, name) ?? whole)
    .replaceAll(/\\(?=['"\\`])/g, '');
}
