import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { projectRoot, sourceFiles } from '../source-files.ts';

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

/** Every file with those that it imports; with `values` only imports that are left after types are erased. */
export function importsOfFiles(values: boolean): ImportGraph {
  return new Map(sourceFiles().map((file) => [file, importsOf(file, values)]));
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
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|(?:^|\n)import\s+'(\.[^']+)'/g;

function importsOf(file: string, values: boolean): string[] {
  const text = readFileSync(resolve(projectRoot, file), 'utf8');
  const found = [...text.matchAll(importPattern)];
  const kept = values ? found.filter((match) => !/^\s*(?:import|export)\s+type\b/.test(match[0])) : found;
  return kept.map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? '';
    return relative(projectRoot, resolve(projectRoot, dirname(file), target));
  });
}
