import type { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type {
  DefinitionColumn,
  DefinitionNames,
  DefinitionVersion,
  DefinitionView,
} from '#servers/extensions/facts/definition-view.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import {
  asKubeObject,
  booleanAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  type KubeObject,
} from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { compareVersions } from '#shared/apimachinery/version-order.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import { conditionIs, findCondition } from './conditions.ts';
import { cutSchemas } from './cut-schemas.ts';
import { sameNames } from './definition-names.ts';
import { cleanupFinalizer } from './definition-strategy.ts';

/** Reads the served JSON of a definition. The view keeps the bytes of each schema and parses them on each call. */
export function readDefinition(json: Buffer, revision: number): DefinitionView {
  const { rest, schemas } = cutSchemas(json);
  const object = asKubeObject(parsed(rest));
  const unread = schemas.values();
  const versions = objectsAt(object, 'spec', 'versions').map((version) =>
    readVersion(version, objectAt(version, 'schema', 'openAPIV3Schema') && unread.next().value),
  );
  return {
    name: object.metadata.name ?? '',
    uid: object.metadata.uid ?? '',
    revision,
    group: stringAt(object, 'spec', 'group'),
    namespaced: stringAt(object, 'spec', 'scope') === 'Namespaced',
    names: readNames(objectAt(object, 'status', 'acceptedNames') ?? {}),
    versions: versions.toSorted((a, b) => compareVersions(a.name, b.name)),
    storageVersion: versions.find(({ storage }) => storage)?.name ?? '',
    preserveUnknownFields: booleanAt(object, 'spec', 'preserveUnknownFields') === true,
    ...readConversion(object),
    established: conditionIs(object, 'Established', 'True'),
    refused: conditionIs(object, 'NamesAccepted', 'False'),
    terminating: conditionIs(object, 'Terminating', 'True'),
    finalizing:
      Boolean(object.metadata.deletionTimestamp) && object.metadata.finalizers?.includes(cleanupFinalizer) === true,
    namesAccepted: sameNames(
      objectAt(object, 'spec', 'names') ?? {},
      objectAt(object, 'status', 'acceptedNames') ?? {},
    ),
    nonStructural: findCondition(object, 'NonStructuralSchema') !== undefined,
  };
}

/** The served JSON of a definition as an object, in which each schema is `{}`. */
export function parseWithoutSchemas(json: Buffer): KubeObject {
  return asKubeObject(parsed(cutSchemas(json).rest));
}

function readConversion(object: KubeObject): Pick<DefinitionView, 'conversion'> {
  const webhook = objectAt(object, 'spec', 'conversion', 'webhook');
  if (stringAt(object, 'spec', 'conversion', 'strategy') !== 'Webhook' || webhook === undefined) return {};
  return {
    conversion: {
      clientConfig: objectAt(webhook, 'clientConfig') ?? {},
      reviewVersions: stringsAt(webhook, 'conversionReviewVersions'),
    },
  };
}

function readNames(names: JsonObject): DefinitionNames {
  return {
    plural: stringAt(names, 'plural'),
    singular: stringAt(names, 'singular'),
    shortNames: stringsAt(names, 'shortNames'),
    kind: stringAt(names, 'kind'),
    listKind: stringAt(names, 'listKind'),
    categories: stringsAt(names, 'categories'),
  };
}

function parsed(text: string): JsonObject {
  const value = atOnce(parsePrinted(text));
  if (!isObject(value)) throw new Error('a definition, or its schema, is no object');
  return value;
}

function readVersion(version: JsonObject, schema: Buffer | undefined): DefinitionVersion {
  const scale = objectAt(version, 'subresources', 'scale');
  const labelSelectorPath = stringAt(scale, 'labelSelectorPath');
  const warning = version['deprecationWarning'];
  return {
    name: stringAt(version, 'name'),
    served: booleanAt(version, 'served') === true,
    storage: booleanAt(version, 'storage') === true,
    deprecated: booleanAt(version, 'deprecated') === true,
    ...(typeof warning === 'string' ? { deprecationWarning: warning } : {}),
    schema: () => (schema === undefined ? undefined : parsed(schema.toString())),
    schemaDigest: schema === undefined ? '' : hash('sha1', schema, 'base64'),
    status: objectAt(version, 'subresources', 'status') !== undefined,
    ...(scale === undefined
      ? {}
      : {
          scale: {
            specReplicasPath: stringAt(scale, 'specReplicasPath'),
            statusReplicasPath: stringAt(scale, 'statusReplicasPath'),
            ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
          },
        }),
    columns: objectsAt(version, 'additionalPrinterColumns').map(readColumn),
    selectableFields: objectsAt(version, 'selectableFields').map((field) => stringAt(field, 'jsonPath')),
  };
}

function readColumn(column: JsonObject): DefinitionColumn {
  return {
    name: stringAt(column, 'name'),
    type: stringAt(column, 'type'),
    format: stringAt(column, 'format'),
    description: stringAt(column, 'description'),
    priority: numberAt(column, 'priority') ?? 0,
    jsonPath: stringAt(column, 'jsonPath'),
  };
}
