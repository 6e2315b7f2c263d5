import { appendTo } from '#shared/admission/contract/list-append.ts';
import { generateName } from '#shared/apimachinery/generate-name.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';

const volumePrefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** One hour and seven seconds: this value marks tokens that may be extended, unlike tokens that a user requested. */
const expirationSeconds = 3607;
const defaultMode = 0o644;

/** Mounts API token, CA and namespace into every container that has no mount at that path. */
export function mountToken(spec: JsonObject): void {
  const existing = objectsAt(spec, 'volumes').find((volume) => stringAt(volume, 'name').startsWith(volumePrefix));
  const name = existing === undefined ? generateName(volumePrefix) : stringAt(existing, 'name');
  let mounted = false;
  for (const list of ['initContainers', 'containers']) {
    for (const container of objectsAt(spec, list)) {
      if (objectsAt(container, 'volumeMounts').some((mount) => stringAt(mount, 'mountPath') === mountPath)) continue;
      appendTo(container, 'volumeMounts', { name, readOnly: true, mountPath });
      mounted = true;
    }
  }
  if (existing === undefined && mounted) appendTo(spec, 'volumes', { name, projected: tokenSource() });
}

function tokenSource(): JsonObject {
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode,
  };
}
