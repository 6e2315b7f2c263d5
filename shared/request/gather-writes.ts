import type { Duplex } from 'node:stream';

/** The state of a connection: writes since the last flush, and how often it is flushed. */
interface Gathering {
  pieces: number;
  flushedAtMs: number;
  /** The number of flushes that followed each other within {@link atOnceMs}. */
  streak: number;
  wait: 'none' | 'turn' | 'while';
  timer: NodeJS.Timeout | undefined;
}

/**
 * Flushes within this time follow each other directly. It is shorter than the time to any reply, so that a dialogue is
 * never delayed.
 */
const atOnceMs = 0.3;
const busyStreak = 8;
const whileMs = 1;
/** With fewer writes in {@link whileMs}, the connection no longer counts as a stream. */
const busyPieces = 3;
const enoughBytes = 32 * 1024;

const gatherings = new WeakMap<Duplex, Gathering>();

/**
 * Called before each write to a connection: the writes of one turn of the event loop are sent in one system call. TLS
 * delivers each record separately, and the output of a command comes in records of about a KiB. The writes of a
 * continuous stream are gathered for a millisecond, or up to 32 KiB; writes after a pause are sent at the end of their
 * turn.
 */
export function gatherWrites(connection: Duplex): void {
  const state = gatheringOf(connection);
  state.pieces++;
  if (state.wait === 'turn') return;
  if (state.wait === 'while') {
    if (connection.writableLength < enoughBytes) return;
    clearTimeout(state.timer);
  } else connection.cork();
  if (state.wait === 'none' && state.streak >= busyStreak) {
    state.wait = 'while';
    state.timer = setTimeout(flush, whileMs, connection, state);
    return;
  }
  state.wait = 'turn';
  setImmediate(flush, connection, state);
}

function gatheringOf(connection: Duplex): Gathering {
  let state = gatherings.get(connection);
  if (state === undefined) {
    state = { pieces: 0, flushedAtMs: 0, streak: 0, wait: 'none', timer: undefined };
    gatherings.set(connection, state);
  }
  return state;
}

function flush(connection: Duplex, state: Gathering): void {
  const nowMs = performance.now();
  const isBusy = state.streak >= busyStreak ? state.pieces >= busyPieces : nowMs - state.flushedAtMs < atOnceMs;
  state.streak = isBusy ? Math.min(state.streak + 1, busyStreak) : 0;
  state.flushedAtMs = nowMs;
  state.pieces = 0;
  state.wait = 'none';
  connection.uncork();
}
