import type { EncryptionProvider, KmsConfiguration } from '#shared/encryption/contract/encryption-provider.ts';
import { kmsSocketOf } from '#shared/encryption/kms/plugin/kms-socket.ts';
import type { KmsSurroundings } from '#shared/encryption/kms/plugin/kms-surroundings.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { KmsClient } from './kms-client.ts';
import { KmsV2Transformer } from './kms-v2-transformer.ts';
import { PluginProbe } from './plugin-probe.ts';

const [askEveryMs, askUnhealthyEveryMs] = [60_000, 10_000];

/** @throws Error for an endpoint that is no Unix socket; a plugin that is away is no error */
export function openKmsV2Provider(
  { name, endpoint, timeoutMs }: KmsConfiguration,
  { metrics, reportError, now }: KmsSurroundings,
): EncryptionProvider {
  const client = new KmsClient({
    socket: kmsSocketOf(endpoint),
    timeoutMs,
    onCall: (path, code, seconds) => metrics.called(name, path, code, seconds),
  });
  const probe = new PluginProbe({
    name,
    client,
    metrics,
    onWriteKey: (key) => transformer.remember(key),
    ...(now === undefined ? {} : { now }),
  });
  const transformer: KmsV2Transformer = new KmsV2Transformer({ name, client, probe, metrics });
  const polling = new Reconciler({
    round: async () => {
      const reason = await probe.check();
      if (reason === undefined) return undefined;
      reportError(`kms plugin ${name} failed health check probe`, new Error(reason));
      return askUnhealthyEveryMs;
    },
    onError: (error) => reportError(`kms plugin ${name} cannot be asked`, error),
    everyMs: askEveryMs,
  });
  polling.begin(0);
  return {
    prefix: `k8s:enc:kms:v2:${name}:`,
    transformer,
    health: () => probe.check(),
    ready: async () => void (await probe.check()),
    close: () => {
      void polling.close();
      client.close();
    },
  };
}
