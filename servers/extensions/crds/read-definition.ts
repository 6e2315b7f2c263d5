import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { booleanAt, numberAt, objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { compareVersions } from '../../../shared/endpoints/discovery/version-order.ts';
import { conditionIs } from './conditions.ts';
import type { DefinitionColumn, DefinitionNames, DefinitionVersion, DefinitionView } from './definition-view.ts';

/** Reads a definition in v1; the view keeps parts of the object. */
export function readDefinition(object: KubeObject, revision: number): DefinitionView {
  const versions = objectsAt(object, 'spec', 'versions').map(readVersion);
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
    established: conditionIs(object, 'Established', 'True'),
    refused: conditionIs(object, 'NamesAccepted', 'False'),
    terminating: conditionIs(object, 'Terminating', 'True'),
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

function readVersion(version: JsonObject): DefinitionVersion {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  const scale = objectAt(version, 'subresources', 'scale');
  const labelSelectorPath = stringAt(scale, 'labelSelectorPath');
  const warning = version['deprecationWarning'];
  return {
    name: stringAt(version, 'name'),
    served: booleanAt(version, 'served') === true,
    storage: booleanAt(version, 'storage') === true,
    deprecated: booleanAt(version, 'deprecated') === true,
    ...(typeof warning === 'string' ? { deprecationWarning: warning } : {}),
    ...(schema === undefined ? {} : { schema }),
    status: objectAt(version, 'subresources', 'status') !== undefined,
    ...(scale === undefined ? {} : {
      scale: {
        specReplicasPath: stringAt(scale, 'specReplicasPath'), statusReplicasPath: stringAt(scale, 'statusReplicasPath'),
        ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
      },
    }),
    columns: objectsAt(version, 'additionalPrinterColumns').map(readColumn),
    selectableFields: objectsAt(version, 'selectableFields').map((field) => stringAt(field, 'jsonPath')),
  };
}

function readColumn(column: JsonObject): DefinitionColumn {
  return {
    name: stringAt(column, 'name'), type: stringAt(column, 'type'), format: stringAt(column, 'format'),
    description: stringAt(column, 'description'), priority: numberAt(column, 'priority') ?? 0, jsonPath: stringAt(column, 'jsonPath'),
  };
}
