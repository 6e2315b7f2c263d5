// No expression takes longer than in proportion to its text: each literal of the servers' sources is measured against texts
// that are made of what it names. Run by `.ci/run`.
//   expressions.ts [tsconfig.json [folder …]]
import { relative, resolve } from 'node:path';
import { SyntaxKind, type Node } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { slowText } from './slow-text.ts';
import { projectRoot } from './source-files.ts';

/** Files with expressions that see no text of a client, or none that is long, by what they look like. */
const others: readonly (readonly [file: string, expression: string])[] = [
  // Nine digits.
  ['shared/apimachinery/duration.ts', '/0+$/'],
  // What Date prints.
  ['shared/serializer/cbor/decode-value.ts', '/\\.?0*Z$/'],
  // Texts of this server, and flags.
  ['shared/admission/plugin-table.ts', '/[*-]+$/'],
  ['shared/storage/etcd-storage/keys.ts', '/^\\/+|\\/+$/g'],
  ['servers/store/options.ts', '/(\\d+)([hms])/g'],
  // Not asked of what is longer than an address.
  ['servers/extensions/schema/formats.ts', '/(^|[.:])0+(?=\\d+(?:\\.|$))/g'],
  // JSON that was read before: each quotation mark has its other one.
  ['shared/serializer/json/huge-number.ts', '/"(?:[^"\\\\]|\\\\[^])*"|-?\\d[\\d.eE+-]*/g'],
];

const [config = resolve(projectRoot, 'tsconfig.json'), ...folders] = process.argv.slice(2);
const roots = (folders.length > 0 ? folders : ['gateway', 'servers', 'shared']).map((folder) => `${resolve(projectRoot, folder)}/`);
const api = new API({ cwd: projectRoot });
const [project] = api.updateSnapshot({ openProjects: [resolve(config)] }).getProjects();
if (project === undefined) throw new Error(`${config} is no project`);
const files = project.program.getSourceFileNames().filter((file) => roots.some((root) => file.startsWith(root)) && !/\/(?:gen|testdata|testing|generator|node_modules)\/|\.test\.ts$|\.d\.ts$/.test(file));

let found = 0;
let count = 0;
for (const file of files) {
  const source = project.program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} cannot be read`);
  const visit = (node: Node): void => {
    if (node.kind === SyntaxKind.RegularExpressionLiteral) {
      count++;
      const literal = node.getText(source);
      const name = relative(projectRoot, file);
      const slow = others.some(([otherFile, expression]) => otherFile === name && expression === literal) ? undefined : slowText(literal);
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
api.close();
console.log(`expressions: ${files.length} files, ${count} literals, ${found} take longer than in proportion`);
process.exitCode = found > 0 ? 1 : 0;
