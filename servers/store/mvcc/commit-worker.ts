/**
 * The worker thread that writes to the database. Waiting for the disk blocks only the next commit here, not the store.
 * Its `workerData` is {@link CommitWorkerData}. It has no event loop: it sleeps until it is woken through the slot.
 */
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import type { WorkerStart, WorkerTask } from './commit-batch.ts';
import { CommitSlot } from './commit-slot.ts';
import type { CommitWorkerData } from './commit-thread.ts';
import { LogDamagedError, isDamageOfFile } from './log-damage.ts';
import { LogWriter } from './log-writer.ts';

/** Opens the writer. If the file was damaged since the store opened it, every task is refused as `damaged`. */
function openWriter(start: WorkerStart): Pick<LogWriter, 'answer'> {
  try {
    return new LogWriter(start);
  } catch (error) {
    if (!(error instanceof LogDamagedError) && !isDamageOfFile(error)) throw error;
    const { message } = error as Error;
    return { answer: () => ({ ok: false, failure: 'damaged', message }) };
  }
}

/** Answers what comes in the slot and as messages, until it is told to close. */
function serve(port: MessagePort, { start, slot: memory }: CommitWorkerData): void {
  const writer = openWriter(start);
  const slot = new CommitSlot(memory);
  const batch = { rows: slot.rows, deletedIds: new Float64Array(), leases: [], state: {} };
  for (let seen = 0; ;) {
    seen = slot.wait(seen);
    if (slot.isAsked) {
      const answer = writer.answer({ kind: 'commit', batch });
      // First, as the message frees the slot for the next commit.
      slot.answer(answer.ok ? answer.result : undefined);
      if (!answer.ok) port.postMessage({ ...answer, ofSlot: true });
    }
    for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
      const task = received.message as WorkerTask;
      const answer = writer.answer(task);
      if (task.kind === 'commit' && answer.ok)
        port.postMessage({ ...answer, rows: task.batch.rows }, [task.batch.rows.buffer as ArrayBuffer]);
      else port.postMessage(answer);
      if (task.kind === 'close') return port.close();
    }
  }
}

if (parentPort === null) throw new Error('commit-worker runs as a worker thread only');
serve(parentPort, workerData as CommitWorkerData);
