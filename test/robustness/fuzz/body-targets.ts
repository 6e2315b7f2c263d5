import { emptyNullBytes } from '#servers/core/apis/core/secrets/data-rules.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { ObjectPatch } from '#shared/endpoints/patch/object-patch.ts';
import type { PatchType } from '#shared/endpoints/patch/read-patch.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { decodeBody, decodeStored, encodeStored } from '#shared/serializer/codec.ts';
import { jsonText } from '#shared/serializer/json/encode.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { parseYaml } from '#shared/serializer/yaml/parse.ts';
import { promise } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { configMapJson, deploymentYaml, jsonTokens, podJson, scalarsYaml, wireTokens, yamlTokens } from './samples.ts';

const facts = loadFacts();
const pod = { group: '', version: 'v1', kind: 'Pod' };
const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' };
const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';

/**
 * Decodes a body with the validation of fields that its first byte names; the stored form must lead back to the same
 * object.
 */
function decodesBody(contentType: string, defaultGvk: typeof pod): (bytes: Buffer) => void {
  return (bytes) => {
    const fieldValidation = (['Ignore', 'Warn', 'Strict'] as const)[bytes.length % 3] ?? 'Warn';
    const { object, gvk, schema } = atOnce(decodeBody(facts, contentType, bytes, { defaultGvk, fieldValidation }));
    // As the strategies of ConfigMaps and Secrets do on every body.
    for (const field of ['binaryData', 'data'])
      if (gvk.kind === 'ConfigMap' || gvk.kind === 'Secret') atOnce(emptyNullBytes(object, field));
    const text = jsonText(schema, object);
    const back = atOnce(decodeStored(facts, atOnce(encodeStored(schema, gvk, object)))).object;
    if (object.metadata.resourceVersion === undefined && object.metadata.selfLink === undefined)
      promise(jsonText(schema, back) === text, `stored as ${jsonText(schema, back)} instead of ${text}`);
  };
}

function samplesOf(bodies: readonly string[], contentType: string, gvk: typeof pod): Buffer[] {
  return bodies.map((body) => {
    const decoded = atOnce(
      decodeBody(facts, contentType, Buffer.from(body), { defaultGvk: gvk, fieldValidation: 'Ignore' }),
    );
    return atOnce(encodeStored(decoded.schema, decoded.gvk, decoded.object));
  });
}

const patched: KubeObject = asKubeObject(
  atOnce(decodeBody(facts, json, Buffer.from(podJson), { defaultGvk: pod, fieldValidation: 'Ignore' })).object,
);
const podSchema = facts.schema(pod.group, pod.version, pod.kind);

function patches(type: PatchType): (bytes: Buffer) => void {
  return (bytes) => {
    if (podSchema === undefined) return;
    const fieldValidation = (['Ignore', 'Warn', 'Strict'] as const)[bytes.length % 3] ?? 'Warn';
    const patch = atOnce(ObjectPatch.read(type, bytes, fieldValidation));
    const scope = { schema: podSchema, kind: pod, apiVersion: 'v1' } as RequestScope;
    const current = { object: structuredClone(patched), printed: undefined };
    const { object } = atOnce(patch.apply(facts, scope, current, () => {}));
    jsonText(podSchema, object);
  };
}

const patchTokens = [
  ...jsonTokens,
  '{"op":"copy","from":"/spec","path":"/metadata/x"}',
  '"$patch":"delete"',
  '"$patch":"replace"',
  '"$retainKeys":["a"]',
  '"$setElementOrder/containers":[{"name":"c"}]',
  '"$deleteFromPrimitiveList/finalizers":["x/y"]',
  '/-',
  '~0',
  '~1',
  '~2',
  '"path":"/spec/containers/0"',
  '"path":""',
  '"/__proto__/x"',
  '-1',
];

/** What clients send as bodies. */
export const bodyTargets: readonly FuzzTarget[] = [
  {
    name: 'json-text',
    samples: [podJson, '[1,-0.5e-7,"\\u00e9",null,true,{}]', '"a"'],
    tokens: jsonTokens,
    refusals: ['JsonSyntaxError', 'JsonDepthError'],
    run: (bytes) => void atOnce(parseJson(bytes)),
  },
  {
    name: 'json-body',
    samples: [podJson, configMapJson],
    tokens: jsonTokens,
    refusals: ['StatusError'],
    run: decodesBody(json, pod),
  },
  {
    name: 'yaml-text',
    samples: [deploymentYaml, scalarsYaml],
    tokens: yamlTokens,
    refusals: ['YamlError', 'JsonDepthError'],
    run: (bytes) => void parseYaml(bytes),
  },
  {
    name: 'yaml-body',
    samples: [deploymentYaml, podJson],
    tokens: yamlTokens,
    refusals: ['StatusError'],
    run: decodesBody('application/yaml', deployment),
  },
  {
    name: 'protobuf-body',
    samples: [
      ...samplesOf([podJson, configMapJson], json, pod),
      ...samplesOf([deploymentYaml], 'application/yaml', deployment),
    ],
    tokens: wireTokens,
    refusals: ['StatusError'],
    run: decodesBody(protobuf, pod),
  },
  {
    name: 'json-patch',
    tokens: patchTokens,
    refusals: ['PatchError', 'StatusError'],
    run: patches('application/json-patch+json'),
    samples: [
      '[{"op":"add","path":"/metadata/labels/x~1y","value":"z"},{"op":"test","path":"/spec/containers/0/name","value":"c"},{"op":"remove","path":"/spec/volumes/0"},{"op":"move","from":"/metadata/labels","path":"/metadata/annotations"},{"op":"replace","path":"/spec/containers/-1/image","value":"j"}]',
    ],
  },
  {
    name: 'merge-patch',
    tokens: patchTokens,
    refusals: ['PatchError', 'StatusError'],
    run: patches('application/merge-patch+json'),
    samples: ['{"metadata":{"labels":{"app":null,"b":"c"}},"spec":{"containers":[{"name":"d"}],"nodeName":"n"}}'],
  },
  {
    name: 'strategic-merge-patch',
    tokens: patchTokens,
    refusals: ['PatchError', 'StatusError'],
    run: patches('application/strategic-merge-patch+json'),
    samples: [
      '{"spec":{"containers":[{"name":"c","image":"j","ports":[{"containerPort":81}]},{"$patch":"delete","name":"d"}],"$setElementOrder/containers":[{"name":"d"},{"name":"c"}],"tolerations":[{"$patch":"replace"}]},"metadata":{"finalizers":["z/z"],"$deleteFromPrimitiveList/finalizers":["x/y"]}}',
    ],
  },
];
