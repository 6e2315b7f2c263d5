import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/** Set when the build starts all processes to fill their code caches. */
const codeCacheWriting = 'QUARTERDECK_WRITE_CODE_CACHE';

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
 * Runs a bundle with the V8 code cache beside it, and returns its exports. The cache was written when the process
 * ended, so it contains all functions that a start calls. The compile cache of Node.js is written before a module runs,
 * and lacks them. V8 rejects a cache of another version, and compiles the source then.
 */
export function loadBundle(path: string): object {
  const cachePath = `${path}.cache`;
  const cachedData = readIfThere(cachePath);
  const script = new Script(readFileSync(path, 'utf8'), {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (process.env[codeCacheWriting] !== undefined)
    process.on('exit', () => writeWhole(cachePath, script.createCachedData()));
  const module = { exports: {} };
  (script.runInThisContext() as Bundle)(
    module.exports,
    createRequire(path),
    module,
    path,
    dirname(path),
    pathToFileURL(path).href,
  );
  return module.exports;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function writeWhole(path: string, contents: Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}
