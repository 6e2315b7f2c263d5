import { sayOfProcess, uncaughtText } from '../observability/process-lines.ts';
import { requestScope } from '../observability/request-scope.ts';

/**
 * The last line: what nobody caught. Node ends a process then, since it cannot know what was left half done. Here it is
 * known on whose behalf the code ran: a request has nothing half done but itself, so it is answered with an error and
 * the others are served on. Anything else (a watch cache, a controller) would be wrong from here on: the process ends
 * as Node would end it, and is started again.
 */
export function surviveRequestFaults(): void {
  process.on('uncaughtException', (error: unknown) => {
    const scope = requestScope();
    if (scope !== undefined) {
      try {
        scope.fail(error);
        return;
      } catch (second) {
        sayOfProcess(uncaughtText(second));
      }
    }
    sayOfProcess(uncaughtText(error));
    if (!calledByHttp(error)) process.exit(1);
  });
}

/**
 * Node uses the parsers of HTTP/1.1 again and again, with the scope in which each was made: only the stack tells that
 * one of them called.
 */
function calledByHttp(error: unknown): boolean {
  return error instanceof Error && /\(node:_http_(?:server|common|incoming):/.test(error.stack ?? '');
}
