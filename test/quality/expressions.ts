// No expression takes longer than in proportion to its text: each literal of the servers' sources is measured against
// texts that are made of what it names. Run by `.ci/run`.
//   expressions.ts [tsconfig.json [folder …]]
import { SyntaxKind, type Node } from 'typescript/unstable/ast';
import { slowText } from './slow-text.ts';
import { visitProduct } from './typed-sources.ts';

/** Files with expressions that see no text of a client, or none that is long, by what they look like. */
const others: readonly (readonly [file: string, expression: string])[] = [
  // Nine digits.
  ['shared/apimachinery/values/duration.ts', '/0+$/'],
  // What Date prints.
  ['shared/serializer/cbor/decode-value.ts', '/\\.?0*Z$/'],
  // Texts of this server, and flags.
  ['shared/storage/etcd-storage/keys.ts', '/^\\/+|\\/+$/g'],
  ['servers/store/start/options.ts', '/(\\d+)([hms])/g'],
  // Not asked of what is longer than an address.
  ['servers/extensions/schema/formats.ts', '/(^|[.:])0+(?=\\d+(?:\\.|$))/g'],
  // JSON that was read before: each quotation mark has its other one.
  ['shared/serializer/json/huge-number.ts', '/"(?:[^"\\\\]|\\\\[^])*"|-?\\d[\\d.eE+-]*/g'],
];

let found = 0;
let count = 0;
const files = visitProduct(process.argv.slice(2), ({ name, source }) => {
  const visit = (node: Node): void => {
    if (node.kind === SyntaxKind.RegularExpressionLiteral) {
      count++;
      const literal = node.getText(source);
      const slow = others.some(([otherFile, expression]) => otherFile === name && expression === literal)
        ? undefined
        : slowText(literal);
      if (slow !== undefined) {
        found++;
        const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
        console.error(`${name}:${line}: ${literal}: ${slow.ms.toFixed(0)} ms for ${slow.unit}`);
      }
    }
    node.forEachChild(visit);
  };
  visit(source);
});
console.log(`expressions: ${files} files, ${count} literals, ${found} take longer than in proportion`);
process.exitCode = found > 0 ? 1 : 0;
