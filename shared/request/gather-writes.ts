import type { Writable } from 'node:stream';
import { FlushSchedule } from './flush-schedule.ts';

const schedules = new WeakMap<Writable, FlushSchedule>();

/**
 * Called before each write to a connection: writes that follow each other closely are sent in one system call, when
 * {@link FlushSchedule} says so.
 */
export function gatherWrites(connection: Writable): void {
  let schedule = schedules.get(connection);
  if (schedule === undefined) {
    schedule = new FlushSchedule(() => connection.uncork());
    schedules.set(connection, schedule);
  }
  if (schedule.add(connection.writableLength)) connection.cork();
}
