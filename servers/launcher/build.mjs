// Builds what `npm start` runs: one bundle for each process, with V8's code cache beside it (load-bundle.ts). `npm ci`
// runs this script. `--outdir FOLDER` replaces dist/, for measurements that must not change dist/.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from './build-client.mjs';
import { writeCallPlaces } from './call-places.mjs';
import { fillCodeCaches } from './fill-code-caches.mjs';

const { build } = await loadBundler();

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const outdirAt = process.argv.indexOf('--outdir');
const dist = outdirAt < 0 ? join(root, 'dist') : resolve(process.argv[outdirAt + 1] ?? 'dist');

/**
 * Name of the bundle → module. These bundles are ES modules that Node.js runs directly: the program, and the worker
 * threads for SQLite commits, large YAML, long patterns and the error messages of invalid expressions.
 */
const programs = {
  quarterdeck: 'servers/launcher/main.ts',
  'commit-worker': 'servers/store/mvcc/commit-worker.ts',
  'yaml-worker': 'shared/serializer/yaml/yaml-worker.ts',
  'pattern-worker': 'shared/apimachinery/regexp/pattern-worker.ts',
  'explain-worker': 'shared/cel/parse/explain/explain-worker.ts',
};
/**
 * Bundles that the program loads as scripts, which can have a code cache. A script also loads only the exports of
 * `node:http` that it uses; an ES module would load all of them, including WebSocket and with it fetch.
 */
const scripts = {
  launch: 'servers/launcher/launch.ts',
  'configuration-errors': 'servers/launcher/configuration-errors.ts',
  store: 'servers/store/main.ts',
  core: 'servers/core/main.ts',
  extensions: 'servers/extensions/main.ts',
  gateway: 'gateway/main.ts',
  controllers: 'servers/controllers/main.ts',
  host: 'servers/host/main.ts',
};

/** Packages that are not bundled: they are loaded from node_modules when needed (with a real etcd, for one). */
const external = ['etcd3', 'node:*'];

// The folder of `--outdir` is deleted only if it is empty or contains an earlier build.
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
  target: 'node24',
  external,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
};
/**
 * Wraps a bundle in the function that load-bundle.ts calls. Dynamic imports become `require` as well. Globals that
 * Node.js keeps behind getters become constants: a request reads them dozens of times.
 */
const asScripts = {
  format: 'cjs',
  define: { 'import.meta.url': 'importMetaUrl' },
  minifyWhitespace: true,
  supported: { 'dynamic-import': false },
  banner: {
    js: '(function (exports, require, module, __filename, __dirname, importMetaUrl) { "use strict"; const { Buffer, performance, process } = globalThis;',
  },
  footer: { js: '})' },
};
/**
 * undici, a quarter of a bundle, is for webhooks and registered API servers, which many servers never have. V8 keeps the
 * source of a script in memory as long as the process runs.
 */
const undiciApart = {
  name: 'undici-apart',
  setup: ({ onResolve }) => onResolve({ filter: /^undici$/ }, () => ({ path: './undici.js', external: true })),
};
await Promise.all([
  build({ ...common, entryPoints: programs, format: 'esm' }),
  build({ ...common, ...asScripts, entryPoints: scripts, plugins: [undiciApart] }),
  build({ ...common, ...asScripts, entryPoints: { undici: 'undici' } }),
  buildClient(build, common),
]);
requireAscii(join(dist, 'undici.js'));
for (const name of Object.keys(scripts)) {
  requireAscii(join(dist, `${name}.js`));
  writeCallPlaces(join(dist, `${name}.js`), root);
}
chmodSync(join(dist, 'quarterdeck.js'), 0o755);
// The facts, and field descriptions for `kubectl explain` from installed packages.
for (const [program, file] of [
  ['shared/api/pack-gen.ts', 'gen.pack'],
  ['shared/api/descriptions/build-descriptions.ts', 'descriptions.pack'],
])
  execFileSync(process.execPath, ['--import', 'tsx', join(root, program), join(dist, file)], {
    cwd: root,
    stdio: 'inherit',
  });
try {
  await fillCodeCaches(dist);
} catch (error) {
  process.stderr.write(
    `build: there is no code cache, so that starts will take a little longer: ${error instanceof Error ? error.message : String(error)}\n`,
  );
}

/** load-bundle.ts reads scripts as Latin-1, so that V8 keeps one byte for each character. esbuild escapes all others. */
function requireAscii(path) {
  const found = /[^\0-\x7f]/u.exec(readFileSync(path, 'utf8'));
  if (found !== null) throw new Error(`${path} has the character ${JSON.stringify(found[0])} at ${found.index}`);
}

/** `npm ci --omit=dev` runs this script without what it needs. */
async function loadBundler() {
  try {
    import.meta.resolve('tsx');
    return await import('esbuild');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'quarterdeck cannot be built without its development packages: run "npm ci" without --omit=dev; "npm prune --omit=dev --ignore-scripts" removes them afterwards\n',
    );
    process.exit(1);
  }
}
