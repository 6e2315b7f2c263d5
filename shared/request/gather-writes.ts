import type { Duplex } from 'node:stream';

/** What came since the last flush of a connection, and how often it is flushed. */
interface Gathering {
  pieces: number;
  flushedAtMs: number;
  /** Flushes that followed each other at once. */
  streak: number;
  wait: 'none' | 'turn' | 'while';
  timer: NodeJS.Timeout | undefined;
}

/** Shorter than any answer takes to a message, so that a dialogue is never held up. */
const atOnceMs = 0.3;
const busyStreak = 8;
const whileMs = 1;
/** Fewer in a while are no stream. */
const busyPieces = 3;
const enoughBytes = 32 * 1024;

const gatherings = new WeakMap<Duplex, Gathering>();

/**
 * Called before each write to a connection: what is written in one turn of the event loop goes out in one system call.
 * TLS hands over each record by itself, and a command's output comes in records of a KiB or so. A stream that goes on
 * so is gathered for a millisecond, or up to 32 KiB; what comes after a pause goes out in its turn.
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
