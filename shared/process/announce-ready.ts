import { printProcessLine, printReadyLine } from '#shared/observability/process-lines.ts';
import { notifyReady } from './service-manager.ts';

/** Says that this process serves: by a line on standard output, and to the service manager that has started it. */
export function announceReady(line: string): void {
  printReadyLine(line);
  try {
    notifyReady();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printProcessLine(`the service manager could not be told by NOTIFY_SOCKET: ${reason}`);
  }
}
