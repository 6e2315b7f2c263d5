import { reportNotAccepting, runProcess } from '#shared/process/process-link.ts';
import { startGateway } from './start-gateway.ts';

/** The `gateway` sub-command, which the launcher also runs as a child process. */
export async function main(argv: readonly string[]): Promise<void> {
  await runProcess('gateway', argv, async (options, isSystemEnding) => {
    const gateway = await startGateway(options, { onNotAccepting: reportNotAccepting, isSystemEnding });
    await gateway.ready;
    return {
      shutdown: () => gateway.shutdown(),
      disconnect: () => gateway.disconnect(),
      details: { port: gateway.port },
    };
  });
}
