import { Buffer } from 'node:buffer';
import { endianness } from 'node:os';
import { loadFfi } from './load-ffi.ts';

/** Numbers of Linux. */
export const unixFamily = 1;
export const datagram = 2;
const closeOnExec = 0o2000000;
const neitherWaitNorSignal = 0x4040;

/** `sun_path` of a `sockaddr_un` has room for so many bytes (unix(7)). */
const longestPath = 108;

/**
 * Tells the service manager that this process serves: the datagram `READY=1`, by the protocol of systemd
 * (sd_notify(3)), as kube-apiserver does. The address comes from `NOTIFY_SOCKET`, which is removed, so that no child
 * tells it, too. Without that variable nothing happens.
 * @throws Error if the service manager could not be told: no such socket, or a release of Node.js without `node:ffi`
 */
export function notifyReady(environment: NodeJS.ProcessEnv = process.env): void {
  const place = environment['NOTIFY_SOCKET'];
  if (place === undefined) return;
  delete environment['NOTIFY_SOCKET'];
  if (place !== '') send(socketAddress(place), Buffer.from('READY=1\n'));
}

/**
 * A `sockaddr_un`.
 * @param place an absolute path, or `@` and an abstract name (unix(7))
 */
export function socketAddress(place: string): Buffer {
  const path = Buffer.from(place);
  if (place.startsWith('@')) path[0] = 0;
  else if (!place.startsWith('/')) throw new Error(`${place} is neither a path nor an abstract socket`);
  if (path.length >= longestPath) throw new Error(`${place} is longer than the path of a socket may be`);
  const family = Buffer.alloc(2);
  if (endianness() === 'LE') family.writeUInt16LE(unixFamily);
  else family.writeUInt16BE(unixFamily);
  return Buffer.concat([family, path, Buffer.alloc(place.startsWith('@') ? 0 : 1)]);
}

/** Node.js has no datagram sockets of the Unix family. */
function send(address: Buffer, message: Buffer): void {
  const { functions } = loadFfi().dlopen(null, {
    socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
    sendto: { arguments: ['int32', 'buffer', 'uint64', 'int32', 'buffer', 'uint32'], return: 'int64' },
    close: { arguments: ['int32'], return: 'int32' },
  });
  const fd = functions.socket(unixFamily, datagram | closeOnExec, 0);
  if (fd < 0) throw new Error('no socket could be made');
  const sent = functions.sendto(fd, message, BigInt(message.length), neitherWaitNorSignal, address, address.length);
  functions.close(fd);
  if (sent < 0) throw new Error('nobody receives from the socket');
}
