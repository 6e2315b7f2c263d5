import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { loadFfi } from '#shared/process/load-ffi.ts';
import { datagram, socketAddress, unixFamily } from '#shared/process/service-manager.ts';

const noWait = 0x40;

/** What a service manager receives: the datagrams of one socket. For Linux. */
export interface NotifyReceiver {
  /** All that came since the last call. */
  received(): string[];
  close(): void;
}

/** @param place an absolute path, or `@` and an abstract name */
export function receiveNotices(place: string): NotifyReceiver {
  const { functions: libc } = loadFfi().dlopen(null, {
    socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
    bind: { arguments: ['int32', 'buffer', 'uint32'], return: 'int32' },
    recv: { arguments: ['int32', 'buffer', 'uint64', 'int32'], return: 'int64' },
    close: { arguments: ['int32'], return: 'int32' },
  });
  const fd = libc.socket(unixFamily, datagram, 0);
  const address = socketAddress(place);
  assert.equal(libc.bind(fd, address, address.length), 0, place);
  return {
    received() {
      const notices: string[] = [];
      for (const bytes = Buffer.alloc(1000); ;) {
        const length = Number(libc.recv(fd, bytes, BigInt(bytes.length), noWait));
        if (length < 0) return notices;
        notices.push(bytes.toString('utf8', 0, length));
      }
    },
    close: () => void libc.close(fd),
  };
}
