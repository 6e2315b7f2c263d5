import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { CertificateFault, CertifiedServer } from './certified-server.ts';
import { hooks, webhookConfiguration } from './hook-requests.ts';
import { get, make, type SpecialRequest } from './special-requests.ts';

/** The name for which the certificate of a registered server has to be. */
export function certifiedName(fault: CertificateFault): string {
  return `${fault}.special.svc`;
}

const ns = '/api/v1/namespaces/special';
/** What the webhooks with each fault are for. */
const hooked: Readonly<Record<CertificateFault, string>> = {
  nameless: 'podtemplates',
  sha1: 'limitranges',
  both: 'serviceaccounts',
};

/** A registration that verifies each server and one that does not, and webhooks. */
export function certificatePreparation(servers: ReadonlyMap<CertificateFault, CertifiedServer>): SpecialRequest[] {
  return [...servers].flatMap(([fault, server]) => [
    // One server each: this one stops asking a server, whatever it is registered for, when a request did not reach it.
    make(`${ns}/services`, {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: fault },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    }),
    registration(fault, 'verified', server.port, { caBundle: server.caBundle }),
    registration(fault, 'trusted', server.port, { insecureSkipTLSVerify: true }),
    make(webhookConfiguration('Validating'), hooks(server, 'Validating', hooked[fault], ['fail'], 'localhost')),
  ]);
}

function registration(fault: CertificateFault, kind: string, port: number, trust: JsonObject): SpecialRequest {
  const group = `${fault}.${kind}.example`;
  return make('/apis/apiregistration.k8s.io/v1/apiservices', {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      service: { namespace: 'special', name: fault, port },
      ...trust,
    },
  });
}

const faults: readonly CertificateFault[] = ['nameless', 'sha1', 'both'];
const paths = ['trusted', 'verified'].flatMap((kind) =>
  faults.map((fault) => `/apis/${fault}.${kind}.example/v1/things`),
);

export const certificateProbes: readonly SpecialRequest[] = paths.map((path) => get(path));

const bodies: Readonly<Record<CertificateFault, JsonObject>> = {
  nameless: { kind: 'PodTemplate', template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
  sha1: { kind: 'LimitRange', spec: { limits: [] } },
  both: { kind: 'ServiceAccount' },
};

/** To be sent once the certificates are faulty. */
export const certificateRequests: readonly SpecialRequest[] = [
  ...paths.map((path) => ({ ...get(path), comparesText: true })),
  ...faults.map((fault) =>
    make(`${ns}/${hooked[fault]}`, { apiVersion: 'v1', metadata: { name: 'x' }, ...bodies[fault] }),
  ),
];

const families = /^apiserver_(?:kube_aggregator|webhooks)_x509_\w+(?= [^0])/gm;

/** The families of outdated certificates that are not zero. */
export function certificateCounters(metrics: string): string[] {
  return [...metrics.matchAll(families)].map(([name]) => name).toSorted();
}
