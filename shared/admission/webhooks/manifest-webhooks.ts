import { ManifestSource, type ManifestOptions } from '#shared/admission/manifests/manifest-source.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';

const kinds = {
  mutatingwebhookconfigurations: { plugin: 'MutatingAdmissionWebhook', kind: 'MutatingWebhookConfiguration' },
  validatingwebhookconfigurations: { plugin: 'ValidatingAdmissionWebhook', kind: 'ValidatingWebhookConfiguration' },
} as const;

/** The webhooks in the folder for configurations of this kind; undefined if there is none. */
export function manifestWebhooks(
  resource: keyof typeof kinds,
  manifests: ManifestOptions | undefined,
  compile: (configuration: KubeObject) => Promise<readonly AdmissionWebhook[]>,
): ManifestSource<readonly AdmissionWebhook[]> | undefined {
  const { plugin, kind } = kinds[resource];
  const folder = manifests?.folders[plugin];
  if (manifests === undefined || folder === undefined) return undefined;
  return new ManifestSource<readonly AdmissionWebhook[]>(
    {
      ...manifests,
      plugin,
      folder,
      async compile(found) {
        const webhooks: AdmissionWebhook[] = [];
        for (const configuration of found.get(kind) ?? []) webhooks.push(...(await compile(configuration)));
        return webhooks;
      },
    },
    [],
  );
}
