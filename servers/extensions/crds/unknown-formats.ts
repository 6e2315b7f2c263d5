import { supportedFormat } from '#servers/extensions/schema/formats.ts';
import { everySchema } from '#servers/extensions/schema/schema-walk.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { internalSpec } from './internal-definition.ts';

/** Warnings for formats that this server does not check; with `old`, only for formats that `old` does not have. */
export function* unknownFormatWarnings(object: KubeObject, old: KubeObject | undefined): Steps<string[]> {
  const known = new Set(old === undefined ? [] : yield* unknownFormats(old));
  return (yield* unknownFormats(object))
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

function* unknownFormats(object: KubeObject): Steps<string[]> {
  const internal = internalSpec(object);
  const schemas = [
    objectAt(internal, 'validation', 'openAPIV3Schema'),
    ...objectsAt(internal, 'versions').map((version) => objectAt(version, 'schema', 'openAPIV3Schema')),
  ];
  const formats: string[] = [];
  for (const root of schemas) {
    if (root === undefined) continue;
    for (const schema of everySchema(root)) {
      if (sliceIsOver()) yield;
      const format = stringAt(schema, 'format');
      if (format !== '' && supportedFormat(format, stringAt(schema, 'type')).name === '') formats.push(format);
    }
  }
  return formats;
}
