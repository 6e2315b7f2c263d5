import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import {
  keepYoungGenerationSmall,
  letYoungGenerationGrow,
  requireWithUsualGrowth,
} from '#shared/process/young-generation.ts';
import { bundleState, codeCachePath, keepCodeCache } from './code-cache.ts';
import { requireLazily } from './lazy-modules.ts';

/**
 * The function that a bundle's source evaluates to. It has the parameters of a CommonJS module, and the value of
 * `import.meta.url`.
 */
type Bundle = (
  ...scope: [
    exports: object,
    require: NodeJS.Require,
    module: { exports: object },
    __filename: string,
    __dirname: string,
    importMetaUrl: string,
  ]
) => void;

/**
 * Runs a bundle with the V8 code cache beside it, and returns its exports. The cache is written when a process ends
 * that had none, so it contains all functions that a start and some requests call. The compile cache of Node.js is
 * written before a module runs, and lacks them. From then on the young generation is kept small, until the process lets
 * it grow when it is ready; the launcher never does.
 */
export function loadBundle(path: string): object {
  letYoungGenerationGrow();
  const script = compile(path);
  keepYoungGenerationSmall();
  return run(script, path);
}

/** Compiles a bundle with its code cache; where it has none, one is written when the process ends. */
function compile(path: string): Script {
  const cachePath = codeCachePath(path);
  const state = bundleState(path);
  const cachedData = readIfThere(cachePath);
  const script = new Script(readText(path), {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  // V8 has read it. A collection that frees it may never come in a process that has little to do.
  if (cachedData !== undefined) free(cachedData);
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.on('exit', (code) => {
      // A process that serves handles SIGTERM. One that only printed its usage knows few functions of a start.
      const hasServed = code === 0 && process.listenerCount('SIGTERM') > 0;
      if (!hasServed || bundleState(path) !== state) return;
      // V8 notes its flags in a code cache, and takes it only under the same.
      letYoungGenerationGrow();
      keepCodeCache(cachePath, script.createCachedData());
    });
  return script;
}

function run(script: Script, path: string): object {
  const module = { exports: {} };
  const require = requireLazily(requireWithUsualGrowth(requireOf(path)));
  (script.runInThisContext() as Bundle)(module.exports, require, module, path, dirname(path), pathToFileURL(path).href);
  return module.exports;
}

/** The `require` of a bundle: what few servers need of it is a bundle beside it (`build.mjs`). */
function requireOf(path: string): NodeJS.Require {
  const require = createRequire(path);
  const load = (id: string): unknown => {
    if (!id.startsWith('./')) return require(id) as unknown;
    const part = join(dirname(path), id);
    return run(compile(part), part);
  };
  return Object.assign(load, {
    resolve: require.resolve,
    cache: require.cache,
    extensions: require.extensions,
    main: require.main,
  });
}

function readText(path: string): string {
  const bytes = readFileSync(path);
  // The build lets no other characters in. UTF-8 might become a string of two bytes for each character.
  const text = bytes.toString('latin1');
  free(bytes);
  return text;
}

/** Frees the memory of a buffer at once, unless it is one of several in a piece of memory. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer.byteLength === byteLength) (buffer as ArrayBuffer).transfer(0);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
