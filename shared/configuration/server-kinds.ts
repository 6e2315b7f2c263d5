import type { ConfigurationKind } from './configuration-scheme.ts';

const group = 'apiserver.config.k8s.io';
const olderGroup = 'apiserver.k8s.io';

/** The kinds that the reference knows wherever it reads one of them, by group version. */
const known: Readonly<Record<string, readonly string[]>> = {
  [`${group}/v1`]: ['Admission', 'Authentication', 'Authorization', 'Encryption', 'Tracing'],
  [`${group}/v1beta1`]: ['Authentication', 'Authorization', 'Tracing'],
  [`${group}/v1alpha1`]: ['Authentication', 'Authorization', 'Tracing'],
  [`${olderGroup}/v1beta1`]: ['EgressSelector'],
  [`${olderGroup}/v1alpha1`]: ['Admission', 'EgressSelector'],
};

/**
 * The kinds of a scheme that reads one kind in all its versions (apiserver/pkg/apis/apiserver/install), such as
 * `AuthorizationConfiguration`. The others are known, but refused.
 */
export function serverKinds(wanted: string): ConfigurationKind[] {
  return Object.entries(known).flatMap(([apiVersion, names]) =>
    names.map((name) => {
      const kind = `${name}Configuration`;
      return { apiVersion, kind, ...(kind === wanted ? { struct: kind } : { goType: `apiserver.${kind}` }) };
    }),
  );
}
