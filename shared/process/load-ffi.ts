import type * as Ffi from 'node:ffi';

/**
 * `node:ffi` (Node.js 26.1 or later) without its warning that it is experimental, which only children of the launcher
 * hide by a flag.
 * @throws Error where this release of Node.js has no such module
 */
export function loadFfi(): typeof Ffi {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:ffi');
  } finally {
    process.emitWarning = emitWarning;
  }
}
