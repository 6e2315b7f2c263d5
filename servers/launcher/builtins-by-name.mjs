// A plugin for esbuild. An ES module that imports from `node:http` makes Node.js read everything that this module exports,
// and some of it is made when it is first read: WebSocket loads all of fetch, 20 ms of each process. Bundles therefore read
// what they name and no more.
import { isBuiltin } from 'node:module';

const namespace = 'builtin';
const identifier = /^[A-Za-z_$][\w$]*$/;

/** @type {import('esbuild').Plugin} */
export const builtinsByName = {
  name: 'builtins-by-name',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) => (kind === 'import-statement' && isBuiltin(path) ? { path, namespace, sideEffects: false } : undefined));
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: textOf(path) }));
  },
};

/** Each export is a call of its own that esbuild leaves out where nobody uses the name. */
function textOf(path) {
  const names = Object.keys(process.getBuiltinModule(path)).filter((name) => identifier.test(name) && name !== 'default');
  const read = names.map((name) => `const ${name}_ = /* @__PURE__ */ read('${name}');`);
  const exported = names.map((name) => `${name}_ as ${name}`);
  return `const builtin = /* @__PURE__ */ process.getBuiltinModule('${path}');
const read = (name) => builtin[name];
${read.join('\n')}
export { ${exported.join(', ')} };
export default builtin;
`;
}
