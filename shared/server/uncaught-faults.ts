import { printProcessLine, uncaughtText } from '#shared/observability/process-lines.ts';
import { requestScope } from '#shared/observability/request-scope.ts';

/**
 * Handles uncaught exceptions. Node.js ends the process, since it cannot know which work was left incomplete. Here the
 * scope names the request on whose behalf the code ran: only this request is incomplete, so it is answered with an
 * error and the process continues. After a failure of anything else (a watch cache, a controller), its state may be
 * wrong, so the process ends as Node.js would end it, and is started again.
 */
export function surviveRequestFaults(): void {
  process.on('uncaughtException', (error: unknown) => {
    const scope = requestScope();
    if (scope !== undefined) {
      try {
        scope.fail(error);
        return;
      } catch (second) {
        printProcessLine(uncaughtText(second));
      }
    }
    printProcessLine(uncaughtText(error));
    if (!calledByHttp(error)) process.exit(1);
  });
}

/**
 * Whether a parser of HTTP/1.1 called the failed code. Node.js reuses parsers together with the scope in which each was
 * created, so only the stack shows this.
 */
function calledByHttp(error: unknown): boolean {
  return error instanceof Error && /\(node:_http_(?:server|common|incoming):/.test(error.stack ?? '');
}
