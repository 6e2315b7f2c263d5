import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './source-files.ts';

/** The programs of others that `npm run check` runs, by the name under which each can be run alone. */
export const tools: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  lint: ['oxlint', '--type-aware', '--tsconfig', 'tsconfig.json'],
  unused: ['knip', '--no-progress'],
  // What only tests use is unused in the product.
  'unused-in-product': ['knip', '--no-progress', '--production'],
  format: ['oxfmt', '--check'],
};

export interface ToolResult {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs a program that npm installed. */
export async function runTool([program, ...args]: readonly [program: string, ...args: string[]]): Promise<ToolResult> {
  const child = spawn(join(projectRoot, 'node_modules', '.bin', program), args, {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => void parts.push(part));
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ passed: code === 0, output: Buffer.concat(parts).toString() }));
  });
}
