import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { randomColumns } from './random-columns.ts';
import { randomObjectSchema } from './random-schema.ts';

export interface RandomDefinition {
  readonly group: string;
  readonly namespaced: boolean;
  /** The served versions, with the schemas of `spec` and whether they have the subresources. */
  readonly versions: readonly RandomVersion[];
  readonly object: JsonObject;
}

export interface RandomVersion {
  readonly name: string;
  readonly spec: JsonObject;
  readonly status: boolean;
  readonly scale: boolean;
}

export const plural = 'samples';
export const kind = 'Sample';

/** A definition in a group of its own, in a random form. */
export function randomDefinition(random: Random, group: string): RandomDefinition {
  const spec = randomObjectSchema(random, 4);
  const names = random.oneOf(3) ? ['v1', 'v1beta1'] : ['v1'];
  const versions = names.map((name): RandomVersion & { readonly object: JsonObject } => {
    const own = name === 'v1' || random.oneOf(2) ? spec : randomObjectSchema(random, 3);
    const [status, scale] = [random.oneOf(2), random.oneOf(4)];
    const subresources = { ...(status && { status: {} }), ...(scale && { scale: scaleOf(random) }) };
    return { name, spec: own, status, scale, object: versionObject(random, name, own, subresources) };
  });
  const namespaced = !random.oneOf(4);
  return {
    group,
    namespaced,
    versions,
    object: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: namespaced ? 'Namespaced' : 'Cluster',
        names: {
          plural,
          kind,
          ...(random.oneOf(2) && { singular: random.pick(['sample', 'smpl']) }),
          ...(random.oneOf(3) && { listKind: random.pick(['SampleList', 'Samples']) }),
          ...(random.oneOf(3) && { shortNames: [`s${group.slice(1, 4).replaceAll(/\W/g, '')}`] }),
          ...(random.oneOf(3) && { categories: ['all', 'samples'] }),
        },
        versions: versions.map(({ object }) => object),
        ...(random.oneOf(4) && { conversion: { strategy: 'None' } }),
      },
    },
  };
}

function scaleOf(random: Random): JsonObject {
  return {
    specReplicasPath: '.spec.a',
    statusReplicasPath: '.status.a',
    ...(random.oneOf(2) && { labelSelectorPath: '.status.b' }),
  };
}

function versionObject(random: Random, name: string, spec: JsonObject, subresources: JsonObject): JsonObject {
  const properties = {
    spec,
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ...(random.oneOf(6) && { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 20 } } } }),
    ...(random.oneOf(6) && { kind: { type: 'string' }, apiVersion: { type: 'string', description: 'its own' } }),
  };
  const whole = {
    type: 'object',
    properties,
    ...(random.oneOf(5) && { required: ['spec'] }),
    ...(random.oneOf(5) && { description: 'A sample.' }),
    ...(random.oneOf(12) && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
  const deprecated = random.oneOf(8);
  return {
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: whole },
    ...(deprecated && { deprecated, ...(random.oneOf(2) && { deprecationWarning: 'do not use it' }) }),
    ...(Object.keys(subresources).length > 0 && { subresources }),
    ...(!random.oneOf(5) && { additionalPrinterColumns: randomColumns(random, spec) }),
    ...(random.oneOf(4) && { selectableFields: selectable(random, spec) }),
  };
}

function selectable(random: Random, { properties }: JsonObject): JsonObject[] {
  const scalars = Object.entries(properties as Readonly<Record<string, JsonObject>>).filter(
    ([name, { type }]) =>
      random.oneOf(15) || (/^\w+$/.test(name) && ['string', 'integer', 'boolean'].includes(String(type))),
  );
  return scalars.slice(0, 2).map(([name]) => ({ jsonPath: `.spec.${name}` }));
}
