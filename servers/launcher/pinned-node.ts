import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** node:sqlite and the language of the bundles need it. */
export const oldestMajor = 26;

/** Whether a Node.js of this version (`20.20.2`) runs the product. */
export function isOldNode(version: string): boolean {
  return Number.parseInt(version, 10) < oldestMajor;
}

/** Set for a program that was handed over, which must not do so again. */
const handedOver = 'QUARTERDECK_HANDED_OVER';

export function wasHandedOver(): boolean {
  return process.env[handedOver] !== undefined;
}

/** Path of the Node.js that npm installed with the product (package `node`); undefined where it is missing. */
export function findPinnedNode(from: string): string | undefined {
  try {
    return join(
      dirname(createRequire(from).resolve('node/package.json')),
      'bin',
      process.platform === 'win32' ? 'node.exe' : 'node',
    );
  } catch {
    return undefined;
  }
}

/**
 * Runs this program again under another Node.js, in its place: same terminal and signals, and its way of
 * ending becomes ours. Only features of old versions here.
 */
export function runAgainUnder(node: string, argv: readonly string[]): void {
  const child = spawn(node, argv, { stdio: 'inherit', env: { ...process.env, [handedOver]: process.versions.node } });
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  // SIGINT of a terminal reaches both; the child says when it is over.
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  child.on('error', (error) => {
    process.stderr.write(`quarterdeck: ${node} could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, pass);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}
