// Makes what tests import of the package, `dist/client/`: one bundle in CommonJS, so that tests of both kinds share its
// state, and for each entry of package.json's `exports` a module of each kind with its declarations.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const types = 'servers/host/client/public-types.ts';
const setupTypes = `/** What a runner passes: jest its configuration, vitest its project. */
type Runner = object;
`;

/** Name of the entry → its exports, by their names in the bundle and with their types. */
const entries = {
  index: {
    exports: { startCluster: 'startCluster' },
    declarations: (text) => `/// <reference lib="esnext.disposable" />
${text}
export declare const startCluster: StartCluster;
`,
  },
  'global-setup': {
    exports: { default: 'setUpRun', globalSetup: 'globalSetup', globalTeardown: 'globalTeardown' },
    declarations: () => `${setupTypes}
/** The global setup for jest and vitest: starts the process in which the clusters of all files of a run are. */
export default function setUpRun(runner?: Runner): Promise<() => Promise<void>>;
/** The same for node:test. */
export declare function globalSetup(): Promise<void>;
/** Ends the process of the clusters, for node:test. */
export declare function globalTeardown(): Promise<void>;
`,
  },
  'global-teardown': {
    exports: { default: 'tearDownRun' },
    declarations: () => `${setupTypes}
/** The global teardown for jest: ends the process of the clusters, unless jest watches and will run again. */
export default function tearDownRun(runner?: Runner): Promise<void>;
`,
  },
};

/** @param build esbuild's, `common` the options of all bundles */
export async function buildClient(build, common) {
  const folder = join(common.outdir, 'client');
  mkdirSync(folder);
  await build({
    ...common,
    outdir: undefined,
    entryPoints: ['servers/host/client/package.ts'],
    outfile: join(folder, 'client.cjs'),
    format: 'cjs',
    sourcemap: false,
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  const text = readFileSync(join(common.absWorkingDir, types), 'utf8').replace(/^\/\/.*\n/gm, '');
  for (const [name, { exports, declarations }] of Object.entries(entries)) {
    const names = Object.entries(exports);
    const write = (ending, contents) => writeFileSync(join(folder, `${name}.${ending}`), contents);
    write('js', `import client from './client.cjs';\n\n${names.map((each) => esmExport(...each)).join('')}`);
    write(
      'cjs',
      `'use strict';\nconst client = require('./client.cjs');\n\nObject.defineProperty(exports, '__esModule', { value: true });\n${names.map(([as, of]) => `exports.${as} = client.${of};\n`).join('')}`,
    );
    for (const ending of ['d.ts', 'd.cts']) write(ending, declarations(text));
  }
}

function esmExport(as, of) {
  return as === 'default' ? `export default client.${of};\n` : `export const ${as} = client.${of};\n`;
}
