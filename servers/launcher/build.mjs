// Bundles what `npm start` runs: one file a process, with V8's code cache beside it (load-bundle.ts). Run by `npm ci`.
// `--outdir FOLDER`: elsewhere than in dist/, for measurements beside other work.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { fillCodeCaches } from './fill-code-caches.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const outdirAt = process.argv.indexOf('--outdir');
const dist = outdirAt < 0 ? join(root, 'dist') : resolve(process.argv[outdirAt + 1] ?? 'dist');

/**
 * Name of the bundle → module. They start as modules by themselves: the program, and the threads on which SQLite
 * commits, large YAML is read, long patterns are compiled and broken expressions are explained.
 */
const programs = {
  quarterdeck: 'servers/launcher/main.ts',
  'commit-worker': 'servers/store/mvcc/commit-worker.ts',
  'yaml-worker': 'shared/serializer/yaml/yaml-worker.ts',
  'pattern-worker': 'shared/apimachinery/regexp/pattern-worker.ts',
  'explain-worker': 'shared/cel/parse/explain/explain-worker.ts',
};
/**
 * What the program loads. As scripts they can have a code cache; and where a module that imports from `node:http` makes
 * Node.js read all that it exports, WebSocket with the whole of fetch behind it, they read what they use.
 */
const scripts = {
  launch: 'servers/launcher/launch.ts',
  store: 'servers/store/main.ts',
  core: 'servers/core/main.ts',
  extensions: 'servers/extensions/main.ts',
  gateway: 'gateway/main.ts',
};

/** Loaded only where they are used (a real etcd, for one), and found in node_modules then. */
const external = ['etcd3', 'node:*'];

// Only what an earlier build made is cleared away, whatever folder was named.
if (outdirAt >= 0 && existsSync(dist) && readdirSync(dist).length > 0 && !existsSync(join(dist, 'quarterdeck.js')))
  throw new Error(`${dist} is there and holds no build`);
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  platform: 'node',
  target: 'node26',
  external,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
};
/** As load-bundle.ts calls it: what is imported late comes by `require`, too. */
const asFunction = {
  supported: { 'dynamic-import': false },
  banner: { js: '(function (exports, require, module, __filename, __dirname, importMetaUrl) {' },
  footer: { js: '})' },
};
await Promise.all([
  build({ ...common, entryPoints: programs, format: 'esm' }),
  build({
    ...common,
    entryPoints: scripts,
    format: 'cjs',
    define: { 'import.meta.url': 'importMetaUrl' },
    ...asFunction,
  }),
]);
for (const name of Object.keys(scripts)) narrowComments(join(dist, `${name}.js`));
chmodSync(join(dist, 'quarterdeck.js'), 0o755);
if (existsSync(join(root, 'shared/api/gen')))
  cpSync(join(root, 'shared/api/gen'), join(dist, 'gen'), { recursive: true });
// Texts of `kubectl explain`, from the installed client.
execFileSync(
  process.execPath,
  ['--import', 'tsx', join(root, 'shared/api/build-descriptions.ts'), join(dist, 'descriptions')],
  { cwd: root, stdio: 'inherit' },
);
try {
  await fillCodeCaches(dist);
} catch (error) {
  process.stderr.write(
    `build: there is no code cache, so that starts will take a little longer: ${error instanceof Error ? error.message : String(error)}\n`,
  );
}

/** V8 keeps a text with any character beyond Latin-1 in twice the memory; in code esbuild has escaped them. */
function narrowComments(path) {
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(/(?:^\s*(?:\/\*|\*)|\/\/ ).*$/gm, (comment) => comment.replace(/[^\0-\xff]/gu, '?')),
  );
}
