/**
 * The worker thread that writes to the database. Waiting for the disk blocks only the next commit here, not the store.
 * Its `workerData` is {@link WorkerStart}.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerStart, WorkerTask } from './commit-batch.ts';
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

const port = parentPort;
if (port === null) throw new Error('commit-worker runs as a worker thread only');
const writer = openWriter(workerData as WorkerStart);
port.on('message', (task: WorkerTask) => {
  const answer = writer.answer(task);
  if (task.kind === 'commit' && answer.ok) port.postMessage({ ...answer, rows: task.batch.rows }, [task.batch.rows]);
  else port.postMessage(answer);
  if (task.kind === 'close') port.close();
});
