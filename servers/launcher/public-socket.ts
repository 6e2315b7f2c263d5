import { closeSync, openSync } from 'node:fs';
import { loadFfi } from '#shared/process/load-ffi.ts';
import { Door, type DoorOptions } from '#shared/server/http/door.ts';

/** O_CLOEXEC of Linux on all its architectures: the processes that are not given the socket do not inherit it. */
const closeOnExec = 0o2000000;

/** A socket that listens, and that nobody in this process accepts from. */
export interface PublicSocket {
  readonly port: number;
  /** For the processes that accept connections. */
  readonly fd: number;
  /** Closes it in this process. Dials are refused when the other processes have closed it, too. */
  close(): void;
}

/**
 * Binds the public port, so that no dial is refused from now on: connections wait in the backlog of the socket until a
 * gateway accepts them, be it the first one or one that was started again. A server of Node.js accepts by itself, so
 * the socket is kept as a duplicate of its descriptor. Undefined where that cannot be made (releases of Node.js without
 * `node:ffi`, other systems than Linux): the gateways bind the port themselves then. Rejects if the port cannot be
 * bound.
 */
export async function openPublicSocket(options: DoorOptions): Promise<PublicSocket | undefined> {
  const door = new Door(options);
  await door.open();
  const { port } = door;
  const fd = duplicate(door.fd);
  door.close();
  return fd === undefined ? undefined : { port, fd, close: () => closeSync(fd) };
}

/** `dup3` in the place of a descriptor that was opened for it: Node.js has no function for either. */
function duplicate(fd: number | undefined): number | undefined {
  if (fd === undefined) return undefined;
  let place: number | undefined;
  try {
    const { functions } = loadFfi().dlopen(null, {
      dup3: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
    });
    place = openSync('/dev/null', 'r');
    if (functions.dup3(fd, place, closeOnExec) === place) return place;
  } catch {
    // There is no such function here.
  }
  if (place !== undefined) closeSync(place);
  return undefined;
}
