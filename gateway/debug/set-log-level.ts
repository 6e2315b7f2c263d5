import { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { internalSendText } from '#gateway/proxy/internal-request.ts';

/** Sets the level of the log in all servers behind the gateway. Rejects with what the first of them said against it. */
export function logLevelSetter(pools: readonly BackendPool[]): (level: number) => Promise<void> {
  return async (level) => {
    const backends = pools.flatMap((pool) => pool.backends.filter(({ usable }) => usable));
    await Promise.all(
      backends.map(async (backend) => {
        const alone = new BackendPool(backend.address, [backend]);
        const { status, body } = await internalSendText(alone, 'PUT', '/debug/flags/v', String(level));
        if (status !== 200) throw new Error(`${backend.address}: ${body.toString()}`);
      }),
    );
  };
}
