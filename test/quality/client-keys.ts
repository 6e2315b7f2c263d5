// No look-up in a plain object by a key that somebody else chose: `table[key]` answers for `constructor`, and
// `object[key] = value` with `__proto__` changes what the object inherits. Run by `npm run check`.
//   client-keys.ts [tsconfig.json [folder …]]
import { findKeyedAccesses } from './keyed-accesses.ts';
import { visitProduct } from './typed-sources.ts';

let found = 0;
const count = visitProduct(process.argv.slice(2), ({ name, source }, project) => {
  for (const { line, text } of findKeyedAccesses(source, project.checker)) {
    found++;
    console.error(
      `${name}:${line}: ${text}: a key of type string in a plain object. Use a Map, getKey and setKey, or a key of a literal type`,
    );
  }
});
console.log(`client-chosen keys: ${count} files, ${found} look-ups in plain objects`);
process.exitCode = found > 0 ? 1 : 0;
