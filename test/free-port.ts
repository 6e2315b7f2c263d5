import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that a kernel gives to outgoing connections (Linux from 32768, others from 49152). A port of those
 * can be taken between the choice and the start of its server by a connection of any process, even by one that dials
 * this very port: with the same port on both sides such a connection reaches itself.
 */
const first = 20_000;
const end = 32_000;
const tries = 100;

const given = new Set<number>();

/**
 * A port of 127.0.0.1 that no process listens on, and that this process was not given before; for servers whose port
 * must be known before they start. Throws when it finds none.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const port = randomInt(first, end);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${tries} ports between ${first} and ${end - 1} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
