import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Dial } from '#shared/process/link/dial.ts';

const idleMs = 30_000;

/** Keeps HTTP/1.1 connections to one backend, which `dial` opens. */
export class DialingAgent extends Agent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: true, timeout: idleMs, scheduling: 'lifo' });
    this.#dial = dial;
  }

  override createConnection(): Socket {
    return this.#dial();
  }
}
