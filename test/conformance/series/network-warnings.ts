import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { networkSpellings, v4Addresses, v6Addresses } from './address-spellings.ts';
import type { Request, Series } from './series.ts';
import { writeEach, writeLater, writtenKind } from './written-kinds.ts';

const services = writtenKind('/api/v1', 'services', 'Service');
const port = [{ port: 80 }];
const service = (spec: JsonObject): JsonObject => ({ spec: { ports: port, selector: { a: 'b' }, ...spec } });
const ingresses = writtenKind('/apis/networking.k8s.io/v1', 'ingresses', 'Ingress');
const policies = writtenKind('/apis/networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy');
const ingress = { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } };
const balanced = [...v4Addresses, ...v6Addresses].map((ip) => ({
  status: { loadBalancer: { ingress: [{ ip }, { hostname: 'a.b' }] } },
}));
const peers = (list: string, side: string): JsonObject[] =>
  [
    { [side]: networkSpellings.map((cidr) => ({ ipBlock: { cidr } })) },
    { [side]: [{ ipBlock: { cidr: '10.0.0.0/8', except: networkSpellings.slice(0, 5) } }] },
  ].map((rule) => ({ spec: { podSelector: {}, [list]: [rule] } }));
const single = (list: string, side: string): JsonObject[] =>
  networkSpellings.map((cidr) => ({ spec: { podSelector: {}, [list]: [{ [side]: [{ ipBlock: { cidr } }] }] } }));

export const networkWarningSeries: readonly Series[] = [
  {
    name: 'warnings of Services: spellings',
    requests: writeEach(services, [
      ...v4Addresses.map((ip) => service({ externalIPs: [ip] })),
      ...networkSpellings.map((range) => service({ type: 'LoadBalancer', loadBalancerSourceRanges: [range] })),
      ...[...v4Addresses, ...v6Addresses].map((loadBalancerIP) => service({ type: 'LoadBalancer', loadBalancerIP })),
      service({ clusterIP: '10.0.07.3' }),
    ]),
  },
  {
    name: 'warnings of Services: what has no effect',
    requests: writeEach(
      services,
      [
        service({
          clusterIP: 'None',
          loadBalancerIP: '10.1.1.1',
          externalIPs: ['10.1.1.1'],
          sessionAffinity: 'ClientIP',
        }),
        service({ type: 'ExternalName', externalName: 'a.b', externalIPs: ['10.1.1.1'] }),
        service({ externalName: 'a.b' }),
        service({ trafficDistribution: 'PreferClose' }),
        service({ externalIPs: ['10.1.1.1'] }),
      ],
      {
        metadata: { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } },
        updates: [{ spec: { type: 'NodePort' } }],
      },
    ),
  },
  {
    name: 'warnings of the status of Services',
    requests: writeLater(services, service({ type: 'LoadBalancer' }), balanced, '/status'),
  },
  { name: 'warnings of the status of Ingresses', requests: writeLater(ingresses, ingress, balanced, '/status') },
  {
    name: 'warnings of Ingresses',
    requests: writeEach(ingresses, [ingress, { spec: { ...ingress.spec, ingressClassName: 'a' } }], {
      metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } },
    }),
  },
  {
    name: 'warnings of NetworkPolicies',
    requests: writeEach(policies, [
      ...peers('ingress', 'from'),
      ...peers('egress', 'to'),
      ...single('ingress', 'from'),
      ...single('egress', 'to'),
    ]),
  },
  {
    name: 'warnings of Endpoints',
    requests: writeEach(
      writtenKind('/api/v1', 'endpoints', 'Endpoints'),
      [...v4Addresses, ...v6Addresses].map((ip) => ({
        subsets: [
          { addresses: [{ ip }], ports: port },
          { notReadyAddresses: [{ ip }], ports: port },
        ],
      })),
    ),
  },
  {
    name: 'warnings of Endpoints of the controller',
    requests: writeEach(
      writtenKind('/api/v1', 'endpoints', 'Endpoints'),
      [{ subsets: [{ addresses: [{ ip: 'FD00::1' }] }] }],
      {
        metadata: { labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
      },
    ),
  },
  ...['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io', 'other'].map(
    (manager): Series => ({
      name: `warnings of EndpointSlices of ${manager}`,
      requests: writeEach(
        writtenKind('/apis/discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice'),
        [
          ...v4Addresses.map((ip) => ({ addressType: 'IPv4', endpoints: [{ addresses: [ip] }] })),
          ...v6Addresses.map((ip) => ({ addressType: 'IPv6', endpoints: [{ addresses: [ip] }] })),
          { addressType: 'FQDN', endpoints: [{ addresses: ['a.b'] }] },
        ],
        { metadata: { labels: { 'endpointslice.kubernetes.io/managed-by': manager } } },
      ),
    }),
  ),
  {
    name: 'two ranges of a ServiceCIDR, in all spellings',
    requests: (run) =>
      [...networkSpellings, '10.1.2.3', 'fd00::1', '10.1.2.0/33', 'x'].flatMap((first, _, all) =>
        all.map((second): Request => ({
          method: 'POST',
          path: '/apis/networking.k8s.io/v1/servicecidrs?dryRun=All',
          body: {
            apiVersion: 'networking.k8s.io/v1',
            kind: 'ServiceCIDR',
            metadata: { name: run },
            spec: { cidrs: [first, second] },
          },
        })),
      ),
  },
];
