// No expression takes longer than in proportion to its text: each literal of the servers' sources is measured against
// texts that are made of what it names. Judged by processor time, therefore by hand.
import assert from 'node:assert/strict';
import { SyntaxKind, type Node } from 'typescript/unstable/ast';
import { ProjectOnDisk } from '#test/quality/project-on-disk.ts';
import { slowText } from './slow-text.ts';

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

// The measure itself first, by expressions of which it is known.
for (const slow of ['/[ \\t]+$/', '/^(a+)+$/', '/"(?:[^"\\\\]|\\\\[^])*"/g', '/^(.+?)\\s*(==|<)\\s*(.+)$/s'])
  assert.notEqual(slowText(slow), undefined, `${slow} is slow, and was not found`);
for (const quick of ['/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/', '/\\d+/g', '/^(?:[^\\\\]|\\\\.)*$/y', '/[\\ud800-\\udfff]/'])
  assert.equal(slowText(quick), undefined, `${quick} is quick, and was reported`);

const project = new ProjectOnDisk();
const { product } = project.typed;
let found = 0;
let count = 0;
for (const { name, source } of product) {
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
}
project.close();
console.log(`expressions: ${product.length} files, ${count} literals, ${found} take longer than in proportion`);
process.exitCode = found > 0 ? 1 : 0;
