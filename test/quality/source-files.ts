import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Absolute path of the checkout. */
export const projectRoot = resolve(import.meta.dirname, '../..');

const roots = ['gateway', 'servers', 'shared', 'test'];

/** Projects of their own, for users to copy. */
const samples = 'test/samples';

/** Every TypeScript file of the project, relative to its root, without generated ones. */
export function sourceFiles(): string[] {
  return roots.flatMap((root) => listFiles(root)).sort();
}

function listFiles(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return isLeftOut(path, entry.name) ? [] : listFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function isLeftOut(path: string, name: string): boolean {
  return name === 'gen' || name === 'node_modules' || path === samples;
}

/** Tables of requests, answers and texts, which are as long and as wide as what they hold. */
export function isData(file: string): boolean {
  return file.includes('/testdata/') || file.startsWith('test/conformance/series/');
}
