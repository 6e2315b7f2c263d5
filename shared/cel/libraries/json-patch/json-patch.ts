import type { Library } from '#shared/cel/contract/library.ts';
import { costsTraversal, traversalBounds } from '#shared/cel/libraries/sizes.ts';
import { stringType } from '#shared/cel/values/cel-type.ts';

/** The library with the function that escapes keys for the paths of JSON patches. */
export const jsonPatchLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  functions: [
    {
      name: 'jsonpatch.escapeKey',
      overloads: [
        {
          id: 'string_jsonpatch_escapeKey_string',
          parameters: [stringType],
          result: stringType,
          implementation: (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
          cost: costsTraversal(),
          estimate: (context, _, [key]) =>
            key === undefined ? undefined : { cost: traversalBounds(context, key), resultSize: context.sizeOf(key) },
        },
      ],
    },
  ],
};
