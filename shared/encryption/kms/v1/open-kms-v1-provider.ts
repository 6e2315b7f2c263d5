import type { EncryptionProvider, KmsConfiguration } from '#shared/encryption/contract/encryption-provider.ts';
import { kmsSocketOf } from '#shared/encryption/kms/plugin/kms-socket.ts';
import type { KmsSurroundings } from '#shared/encryption/kms/plugin/kms-surroundings.ts';
import { KmsV1Client } from './kms-v1-client.ts';
import { KmsV1Transformer } from './kms-v1-transformer.ts';

/** An answer of the health check is good for this long. */
const [healthyMs, unhealthyMs] = [20_000, 3_000];

/** @throws Error for an endpoint that is no Unix socket; a plugin that is away is no error */
export function openKmsV1Provider(
  { name, endpoint, timeoutMs, cacheSize }: KmsConfiguration,
  { metrics, now = () => performance.now() }: KmsSurroundings,
): EncryptionProvider {
  const client = new KmsV1Client(kmsSocketOf(endpoint), timeoutMs);
  let last: { readonly reason: string | undefined; readonly untilMs: number } | undefined;
  let checking: Promise<string | undefined> | undefined;
  const check = async (): Promise<string | undefined> => {
    const fault = await pingFault(client);
    last = { reason: fault?.reason, untilMs: now() + (fault === undefined ? healthyMs : unhealthyMs) };
    checking = undefined;
    if (fault === undefined) return undefined;
    return `failed to perform ${fault.section} section of the healthz check for KMS Provider ${name}, error: ${fault.reason}`;
  };
  return {
    prefix: `k8s:enc:kms:v1:${name}:`,
    transformer: new KmsV1Transformer({ client, cacheSize, metrics }),
    health() {
      if (checking !== undefined) return checking;
      if (last !== undefined && now() < last.untilMs) return Promise.resolve(last.reason);
      return (checking = check());
    },
    close: () => client.close(),
  };
}

/** Encrypts and decrypts a word (kmsPluginProbe.check of apiserver's encryptionconfig). */
async function pingFault(
  client: Pick<KmsV1Client, 'encrypt' | 'decrypt'>,
): Promise<{ readonly section: 'encrypt' | 'decrypt'; readonly reason: string } | undefined> {
  let section: 'encrypt' | 'decrypt' = 'encrypt';
  try {
    const cipher = await client.encrypt(Buffer.from('ping'));
    section = 'decrypt';
    await client.decrypt(cipher);
    return undefined;
  } catch (error) {
    return { section, reason: error instanceof Error ? error.message : String(error) };
  }
}
