import type { ScalarType } from '#shared/apimachinery/schema/schema.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Scalar types for which OpenAPI has models of their own; the facts have no structs of these names. */
export const scalarModels: Partial<Record<ScalarType, string>> = {
  time: `${meta}.Time`,
  microTime: `${meta}.MicroTime`,
  duration: `${meta}.Duration`,
  fieldsV1: `${meta}.FieldsV1`,
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  rawExtension: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  json: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
};

/** The model of the body of every patch. */
export const patchModel = `${meta}.Patch`;

/** Describes parameters that are no fields of an options type, as if they were those of one: `pretty`, `namespace`. */
export const generalParameters = 'parameters';
