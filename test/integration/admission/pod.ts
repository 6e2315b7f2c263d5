type Json = Record<string, unknown>;

/** A pod with one container. */
export function pod(name: string, spec: Json = {}, container: Json = {}, metadata: Json = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
  };
}

/** What the strictest level wants to see of the only container. */
export const restrictedContainer: Json = {
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};
