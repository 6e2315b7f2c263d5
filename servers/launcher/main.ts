import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { launch } from './launch.ts';

const here = dirname(fileURLToPath(import.meta.url));
const bundled = import.meta.url.endsWith('.js');

/** What a sub-command's module exports. */
interface ProcessModule {
  main(argv: readonly string[]): Promise<void>;
}

interface LaunchModule {
  readonly launch: typeof launch;
}

/** Modules are found by path, since one server must not import another; the bundles lie side by side. */
const modules: Readonly<Record<string, string>> = bundled
  ? { store: './store.js', core: './core.js', gateway: './gateway.js' }
  : { store: '../store/main.ts', core: '../core/main.ts', gateway: '../../gateway/main.ts' };

if (bundled) enableCompileCache(join(here, '.compile-cache'));

const [command = '', ...rest] = process.argv.slice(2);
if (command === '--warm-compile-cache') {
  // Called by the build: loads everything once, so that the first start finds it compiled.
  await Promise.all([...Object.values(modules), './launch.js'].map((path) => import(new URL(path, import.meta.url).href)));
} else if (Object.hasOwn(modules, command)) {
  const module = (await import(new URL(modules[command] ?? '', import.meta.url).href)) as ProcessModule;
  await module.main(rest);
} else {
  const path = bundled ? './launch.js' : './launch.ts';
  const module = (await import(new URL(path, import.meta.url).href)) as LaunchModule;
  await module.launch(process.argv.slice(2), fileURLToPath(import.meta.url));
}
