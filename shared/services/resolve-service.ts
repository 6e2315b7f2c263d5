import { isIPv6 } from 'node:net';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { EndpointSliceView, ServiceDirectory, ServiceView } from './service-directory.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** `host:port`, IPv6 addresses in brackets. */
export type ServiceAddress = string;

/** Returns the current address of a Service. Throws an Error with the reference's message if it has none. */
export type ServiceResolver = (reference: ServiceReference) => ServiceAddress;

/**
 * Resolves to the cluster IP, or to one of the ready endpoints (`--enable-aggregator-routing`). `loopback` is the
 * address of this cluster's own API server.
 */
export function createServiceResolver(
  directory: ServiceDirectory,
  byEndpoint: boolean,
  loopback?: () => ServiceAddress,
): ServiceResolver {
  return (reference) => {
    const { namespace, name, port } = reference;
    // The `kubernetes` Service: its cluster IP may not be routable from here.
    if (loopback !== undefined && namespace === 'default' && name === 'kubernetes' && port === 443) return loopback();
    const service = directory.service(namespace, name);
    if (service === undefined) throw new Error(`service ${goQuote(name)} not found`);
    return byEndpoint
      ? endpointAddress(service, reference, directory.endpointSlices(namespace, name))
      : clusterAddress(service, reference);
  };
}

/** The last resolved address of each Service state. */
const clusterAddresses = new WeakMap<ServiceView, { readonly port: number; readonly address: ServiceAddress }>();

const withClusterAddress: ReadonlySet<string> = new Set(['ClusterIP', 'LoadBalancer', 'NodePort']);

function clusterAddress(service: ServiceView, reference: ServiceReference): ServiceAddress {
  const known = clusterAddresses.get(service);
  if (known?.port === reference.port) return known.address;
  const address = findClusterAddress(service, reference);
  clusterAddresses.set(service, { port: reference.port, address });
  return address;
}

function findClusterAddress(service: ServiceView, { name, port }: ServiceReference): ServiceAddress {
  if (service.type === 'ExternalName') return joinAddress(service.externalName, port);
  if (!withClusterAddress.has(service.type)) throw unsupported(service);
  if (service.type === 'ClusterIP' && service.clusterIP === 'None')
    throw new Error('cannot route to service with ClusterIP "None"');
  return joinAddress(service.clusterIP, servicePort(service, name, port).port);
}

function endpointAddress(
  service: ServiceView,
  { name, port }: ServiceReference,
  slices: readonly EndpointSliceView[],
): ServiceAddress {
  if (!withClusterAddress.has(service.type)) throw unsupported(service);
  const wanted = servicePort(service, name, port).name;
  // Slices of the primary IP family come first; within a family the order is random.
  const [family] = service.ipFamilies;
  const order = slices
    .map((slice) => ({ slice, rank: (slice.addressType === family ? 0 : 1) + Math.random() }))
    .toSorted((a, b) => a.rank - b.rank);
  for (const { slice } of order) {
    const at = slice.ports.find((candidate) => candidate.name === wanted);
    const address = slice.ready[Math.floor(Math.random() * slice.ready.length)];
    if (at !== undefined && address !== undefined) return joinAddress(address, at.port);
  }
  throw new Error(`no endpoints available for service ${goQuote(name)}`);
}

function servicePort(service: ServiceView, name: string, port: number): ServiceView['ports'][number] {
  const found = service.ports.find((candidate) => candidate.port === port);
  if (found === undefined) throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
  return found;
}

function unsupported(service: ServiceView): Error {
  return new Error(`unsupported service type ${goQuote(service.type)}`);
}

/** IPv6 addresses in brackets. */
export function joinAddress(host: string, port: number): ServiceAddress {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
