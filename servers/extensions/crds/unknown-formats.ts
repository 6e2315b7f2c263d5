import { goQuote } from '../../../shared/apimachinery/go-format.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { supportedFormat } from '../schema/formats.ts';
import { everySchema } from '../schema/schema-walk.ts';
import { internalSpec } from './internal-definition.ts';

/** Warnings on formats that this server does not check; with `old` only on those that are new. */
export function unknownFormatWarnings(object: KubeObject, old?: KubeObject): string[] {
  const known = new Set(old === undefined ? [] : unknownFormats(old));
  return unknownFormats(object).filter((format) => !known.has(format)).map((format) => `unrecognized format ${goQuote(format)}`);
}

function unknownFormats(object: KubeObject): string[] {
  const internal = internalSpec(object);
  const schemas = [objectAt(internal, 'validation', 'openAPIV3Schema'), ...objectsAt(internal, 'versions').map((version) => objectAt(version, 'schema', 'openAPIV3Schema'))];
  return schemas.flatMap((schema) => (schema === undefined ? [] : [...everySchema(schema)])).flatMap((schema) => {
    const format = stringAt(schema, 'format');
    return format !== '' && supportedFormat(format, stringAt(schema, 'type')).name === '' ? [format] : [];
  });
}
