// No look-up in a plain object by a key that somebody else chose: `table[key]` answers for `constructor`, and
// `object[key] = value` with `__proto__` changes what the object inherits.
import { findKeyedAccesses } from './keyed-accesses.ts';
import type { Rule } from './rule.ts';

export const clientKeys: Rule = {
  check({ typed: { product, project } }) {
    const problems = product.flatMap(({ name, source }) =>
      findKeyedAccesses(source, project.checker).map(
        ({ line, text }) =>
          `${name}:${line}: ${text}: a key of type string in a plain object. Use a Map, getKey and setKey, or a key of a literal type`,
      ),
    );
    return { problems, summary: `${product.length} files` };
  },
};
