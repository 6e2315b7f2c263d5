// No look-up in a plain object by a key that somebody else chose: `table[key]` answers for `constructor`, and
// `object[key] = value` with `__proto__` changes what the object inherits. Run by `npm run check`.
//   client-keys.ts [tsconfig.json [folder …]]
import { relative, resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { projectRoot } from './source-files.ts';
import { findKeyedAccesses } from './keyed-accesses.ts';

const [config = resolve(projectRoot, 'tsconfig.json'), ...folders] = process.argv.slice(2);
const roots = (folders.length > 0 ? folders : ['gateway', 'servers', 'shared']).map((folder) => `${resolve(projectRoot, folder)}/`);

const api = new API({ cwd: projectRoot });
const [project] = api.updateSnapshot({ openProjects: [resolve(config)] }).getProjects();
if (project === undefined) throw new Error(`${config} is no project`);
const files = project.program.getSourceFileNames().filter((file) => roots.some((root) => file.startsWith(root)) && !/\/(?:gen|testdata|testing|generator|node_modules)\/|\.test\.ts$|\.d\.ts$/.test(file));
let found = 0;
for (const file of files) {
  const source = project.program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} cannot be read`);
  for (const { line, text } of findKeyedAccesses(source, project.checker)) {
    found++;
    console.error(`${relative(projectRoot, file)}:${line}: ${text}: a key of type string in a plain object. Use a Map, getKey and setKey, or a key of a literal type`);
  }
}
api.close();
console.log(`client-chosen keys: ${files.length} files, ${found} look-ups in plain objects`);
process.exitCode = found > 0 ? 1 : 0;
