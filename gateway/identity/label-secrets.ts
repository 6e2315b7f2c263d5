import type { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { internalSend } from '#gateway/proxy/internal-request.ts';
import type { LabelSecret } from '#shared/authentication/service-account/legacy-token-uses.ts';

/** Labels secrets by requests to core, which has them. */
export function labelSecretsOfCore(pool: BackendPool): LabelSecret {
  return async ({ name = '', namespace = '', uid = '' }, labels) => {
    const target = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    const { status, body } = await internalSend(pool, 'PATCH', target, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, uid, labels },
    });
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
  };
}
