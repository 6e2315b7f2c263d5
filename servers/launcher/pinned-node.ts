import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The oldest major version that has the features of node:sqlite and of the language that the bundles use. */
export const oldestMajor = 24;

/** Whether a Node.js of this version (`20.20.2`) runs the product. */
export function isOldNode(version: string): boolean {
  return Number.parseInt(version, 10) < oldestMajor;
}

/** Set for the process that runs under the pinned Node.js, so that it does not start another one. */
const handedOver = 'QUARTERDECK_HANDED_OVER';

export function isRerun(): boolean {
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
 * Runs this program again under another Node.js as a child with the same terminal; signals are passed on to it, and its
 * exit code or signal becomes that of this process. This function must use only features of old Node.js versions.
 */
export function rerunWithNode(node: string, argv: readonly string[]): void {
  const child = spawn(node, argv, { stdio: 'inherit', env: { ...process.env, [handedOver]: process.versions.node } });
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  // SIGINT of a terminal reaches both processes; this one ends with the child.
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
