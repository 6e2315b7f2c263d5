import { dirname, relative, resolve } from 'node:path';
import type { SourceText } from '#test/quality/rule.ts';
import { projectRoot } from '#test/quality/source-files.ts';

/** Files or folders, and those that each imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** `shared/storage/etcd/x.ts` → `shared/storage`; `gateway/proxy/y.ts` → `gateway`. */
export function partOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'shared' || top === 'servers' ? `${top}/${second}` : top;
}

export function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/testing/') || file.startsWith('test/');
}

/** Every file with those that it imports. */
export function importsOfFiles(sources: readonly SourceText[]): ImportGraph {
  return new Map(sources.map((source) => [source.name, importsOf(source)]));
}

/** Imports that climb out of the file's folder: such a target is named by `#` and its path from the root. */
export function climbingImports(sources: readonly SourceText[]): string[] {
  return sources.flatMap(({ name, text }) =>
    [...text.matchAll(importPattern)]
      .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
      .filter((target) => /^\.\.\/.*\.ts$/.test(target))
      .map((target) => `${name}: '${target}' climbs; name it by its path from the root, '#…'`),
  );
}

/** The folders of what the product runs, each with those that its files import. */
export function importsOfFolders(files: ImportGraph): ImportGraph {
  const folders = new Map<string, string[]>();
  for (const [file, targets] of files) {
    if (isTest(file) || file.includes('/testdata/')) continue;
    const folder = dirname(file);
    const known = folders.get(folder) ?? [];
    known.push(...targets.map((target) => dirname(target)).filter((other) => other !== folder));
    folders.set(folder, known);
  }
  return folders;
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s+'([.#][^']+)'|import\(\s*'([.#][^']+)'\s*\)|(?:^|\n)import\s+'([.#][^']+)'/g;

function importsOf({ name, text }: SourceText): string[] {
  return [...text.matchAll(importPattern)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? '';
    // The `imports` of package.json name the top folders.
    if (target.startsWith('#')) return target.slice(1);
    return relative(projectRoot, resolve(projectRoot, dirname(name), target));
  });
}
