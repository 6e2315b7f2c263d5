import type { CoreContext } from '#servers/core/context/core-context.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { LabelSecret } from '#shared/authentication/service-account/legacy-token-uses.ts';
import { systemContext } from '#shared/registry/system-context.ts';

/** Labels secrets in this server's own store, for tokens that are reviewed. */
export function labelOwnSecrets(core: CoreContext): LabelSecret {
  return async ({ name = '', namespace = '', uid = '' }, labels) => {
    await core.store('', 'secrets').update(
      {
        name,
        subresource: '',
        preconditions: { uid },
        transform: (existing) => {
          if (existing === undefined) throw newNotFound({ group: '', resource: 'secrets' }, name);
          const secret = cloneJson(existing);
          secret.metadata.labels = { ...secret.metadata.labels, ...labels };
          return secret;
        },
      },
      systemContext({ namespace }),
    );
  };
}
