import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/** Set while the build lets everything start once. */
const codeCacheWriting = 'QUARTERDECK_WRITE_CODE_CACHE';

/**
 * What a bundle's text is: a function with the parameters of a CommonJS module, and what stands for `import.meta.url`.
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
 * Runs a bundle with V8's code cache that lies beside it, and answers what it exports. The cache was made at the end of
 * a start, so it holds the functions that a start calls; the compile cache of Node.js is made before a module has run,
 * and they would be compiled again each time. V8 refuses a cache of another version, and then compiles.
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
