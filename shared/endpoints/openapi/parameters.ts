import { generalParameters } from '#shared/api/scalar-models.ts';
import type { Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Describe } from './model-schema.ts';
import type { Parameter } from './operation.ts';

/** The scalar fields of an options type, as query parameters. */
export function parametersOf(
  { describe }: { readonly describe: Describe },
  options: StructSchema | undefined,
): Parameter[] {
  const fields = (options?.flat ?? []).filter(
    ({ name, schema }) => name !== 'kind' && name !== 'apiVersion' && schema.kind !== 'struct',
  );
  return sortedParameters(
    fields
      .filter(({ schema }) => schema.kind !== 'scalar' || schema.type !== 'time')
      .map(({ name, schema }) =>
        described({ name, in: 'query', type: parameterType(schema) }, describe(options?.name ?? '', name)),
      ),
  );
}

export function nameInPath({ kind }: { readonly kind: string }): Parameter {
  return { name: 'name', in: 'path', type: 'string', required: true, description: `name of the ${kind}` };
}

/** A parameter that is no field of an options type. */
export function generalParameter(describe: Describe, name: string, place: Parameter['in']): Parameter {
  const parameter: Parameter = { name, in: place, type: 'string', ...(place === 'path' && { required: true }) };
  return described(parameter, describe(generalParameters, name));
}

function described(parameter: Parameter, description: string | undefined): Parameter {
  return description === undefined ? parameter : { ...parameter, description };
}

/** The type of a query parameter. A list parameter can be repeated; the documents show the type of one item. */
function parameterType(schema: Schema): Parameter['type'] {
  if (schema.kind === 'list') return parameterType(schema.items);
  if (schema.kind !== 'scalar') return 'string';
  if (schema.type === 'bool') return 'boolean';
  return schema.type.startsWith('int') ? 'integer' : 'string';
}

export function sortedParameters(parameters: readonly Parameter[]): Parameter[] {
  return parameters.toSorted((a, b) => (a.name === b.name ? (a.in < b.in ? -1 : 1) : a.name < b.name ? -1 : 1));
}
