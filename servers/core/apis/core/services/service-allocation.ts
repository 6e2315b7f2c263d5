import { AllocationError, RangeFullError, type ClusterIPs } from '#servers/core/allocation/cluster-ips.ts';
import type { NodePorts } from '#servers/core/allocation/node-ports.ts';
import type { ServiceAllocators } from '#servers/core/allocation/service-allocators.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { schemaOfModel } from '#shared/api/same-by-type.ts';
import { invalid, path, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { failureStatus, newInternalError, newInvalid, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { withNamedStrings } from '#shared/registry/named-strings.ts';
import type { Finish, OperationContext } from '#shared/registry/strategy.ts';
import { allocatesNodePorts, needsClusterIP, needsHealthCheckPort } from './service-defaults.ts';
import { assignFamilies, type IPFamily } from './service-families.ts';
import { hasNodePorts } from './service-transitions.ts';

/** Addresses that the Service holds. */
export function addressesOf(service: KubeObject): string[] {
  return needsClusterIP(service)
    ? stringsAt(service, 'spec', 'clusterIPs').filter((ip) => ip !== '' && ip !== 'None')
    : [];
}

/** Node ports that the Service holds. */
export function portsOf(service: KubeObject): number[] {
  if (!hasNodePorts(service)) return [];
  const check = needsHealthCheckPort(service) ? numberAt(service, 'spec', 'healthCheckNodePort') : undefined;
  const ports = objectsAt(service, 'spec', 'ports').flatMap((port) => numberAt(port, 'nodePort') || []);
  return check ? [...ports, check] : ports;
}

/** The first port that a dry run shows for ports without a requested node port. */
const firstShownPort = 32_769;

/**
 * The addresses and node ports that one write allocates. If the write fails, all of them are released; if it succeeds,
 * those that only the old Service held are released.
 */
export class ServiceAllocation {
  readonly #context: OperationContext;
  readonly #service: KubeObject;
  readonly #old: KubeObject | undefined;
  readonly #clusterIPs: ClusterIPs;
  readonly #nodePorts: NodePorts;
  readonly #gates: Gates;
  readonly #takenIPs: string[] = [];
  readonly #takenPorts = new Set<number>();
  #highestPort: number | undefined;

  constructor(
    service: KubeObject,
    old: KubeObject | undefined,
    { clusterIPs, nodePorts, gates }: ServiceAllocators & { readonly gates: Gates },
    context: OperationContext,
  ) {
    this.#context = context;
    this.#service = service;
    this.#old = old;
    this.#clusterIPs = clusterIPs;
    this.#nodePorts = nodePorts;
    this.#gates = gates;
  }

  async run(): Promise<Finish> {
    try {
      await this.#takeAddresses();
      await this.#takePorts();
    } catch (error) {
      await this.#undo();
      throw error;
    }
    return async (outcome) => {
      if (outcome === 'succeeded') await this.#releaseOld();
      // If the outcome is unknown, nothing is released: a leaked address is better than one allocated twice.
      if (outcome === 'failed') await this.#undo();
    };
  }

  async #takeAddresses(): Promise<void> {
    const errors = assignFamilies(this.#service, this.#old, this.#gates, this.#clusterIPs.families());
    if (errors.length > 0) throw this.#invalid(errors);
    if (!needsClusterIP(this.#service)) return;
    const spec = ensureObject(this.#service, 'spec');
    if (stringAt(spec, 'clusterIP') === 'None') return;
    const held = this.#old ? addressesOf(this.#old) : [];
    // A stored Service that should have an address but has none gets none now.
    if (this.#old && held.length === 0 && needsClusterIP(this.#old)) return;
    // Validation refuses a primary address that differs from the one held.
    if (held.length > 0 && held[0] !== stringsAt(spec, 'clusterIPs')[0]) return;
    await this.#fillAddresses(spec, held);
  }

  async #fillAddresses(spec: JsonObject, held: readonly string[]): Promise<void> {
    const ips = [...stringsAt(spec, 'clusterIPs')];
    for (const [index, family] of (stringsAt(spec, 'ipFamilies') as IPFamily[]).entries()) {
      const wanted = ips[index];
      if (wanted === undefined || wanted === '') ips[index] = await this.#anyAddress(family);
      else if (!held.includes(wanted)) await this.#address(wanted);
    }
    if (ips.length === 0) return;
    spec['clusterIPs'] = ips;
    spec['clusterIP'] = ips[0] ?? '';
  }

  async #anyAddress(family: 'IPv4' | 'IPv6'): Promise<string> {
    const shown = (): string[] => [...stringsAt(this.#service, 'spec', 'clusterIPs'), ''].slice(0, 1);
    const ip = await this.#guard(path('spec', 'clusterIPs'), shown, 'failed to allocate IP: ', () =>
      unlessFull(
        `failed to allocate a serviceIP for Service ${goQuote(this.#service.metadata.name ?? '')}`,
        this.#clusterIPs.takeAny(this.#service, family, this.#context),
      ),
    );
    this.#takenIPs.push(ip);
    return ip;
  }

  async #address(ip: string): Promise<void> {
    await this.#guard(
      path('spec', 'clusterIPs'),
      () => [...stringsAt(this.#service, 'spec', 'clusterIPs')],
      `failed to allocate IP ${ip}: `,
      () => this.#clusterIPs.take(this.#service, ip, this.#context),
    );
    this.#takenIPs.push(ip);
  }

  async #takePorts(): Promise<void> {
    const held = new Set(this.#old ? portsOf(this.#old) : []);
    if (hasNodePorts(this.#service)) await this.#takeNodePorts(held);
    // If the old Service needed a health check port, it has one, and validation refuses another.
    if (!needsHealthCheckPort(this.#service) || (this.#old !== undefined && needsHealthCheckPort(this.#old))) return;
    const spec = ensureObject(this.#service, 'spec');
    const wanted = numberAt(spec, 'healthCheckNodePort') || undefined;
    if (wanted !== undefined && held.has(wanted)) return;
    try {
      spec['healthCheckNodePort'] = toInt32(await this.#port(wanted));
    } catch (error) {
      if (!(error instanceof AllocationError)) throw error;
      throw newInternalError(`failed to allocate requested HealthCheck NodePort ${wanted ?? 0}: ${error.message}`);
    }
  }

  /** Allocates node ports. Protocols of one port number share one, and so do ports that request the same one. */
  async #takeNodePorts(held: ReadonlySet<number>): Promise<void> {
    const ports = objectsAt(this.#service, 'spec', 'ports');
    const taken = new Set<number>(held);
    const given = new Map<number, number>();
    const pairs = new Set<string>();
    const asks = this.#old ? undefined : askedPorts(ports);
    for (const [index, port] of ports.entries()) {
      const asked = numberAt(port, 'nodePort') || undefined;
      if (asked === undefined && !allocatesNodePorts(this.#service)) continue;
      const number = numberAt(port, 'port') ?? 0;
      const wanted = asked ?? given.get(number) ?? asks?.get(number);
      const field = path('spec', 'ports').index(index).child('nodePort');
      // On create, allocation refuses a node port that is requested twice; on update, protocols may share it.
      const known =
        wanted !== undefined && (given.get(number) === wanted || (this.#old !== undefined && taken.has(wanted)));
      const got = known
        ? wanted
        : await this.#guard(
            field,
            () => wanted ?? 0,
            '',
            () => this.#port(wanted),
          );
      taken.add(got);
      if (!this.#old) given.set(number, got);
      port['nodePort'] = toInt32(got);
      const pair = `{${stringAt(port, 'protocol')} ${got}}`;
      if (this.#old && pairs.has(pair)) throw new StatusError(failureStatus(500, '', `duplicate nodePort: ${pair}`));
      pairs.add(pair);
    }
  }

  async #port(wanted: number | undefined): Promise<number> {
    const port = wanted ?? (await this.#anyPort());
    if (wanted !== undefined) await this.#nodePorts.take(wanted, this.#context.dryRun);
    // A dry run stores nothing, so ports that it took before are found here only.
    if (this.#takenPorts.has(port)) throw new AllocationError('provided port is already allocated');
    this.#takenPorts.add(port);
    this.#highestPort = Math.max(port, this.#highestPort ?? 0);
    return port;
  }

  /** Any free port. A dry run shows one probably outside the range (portallocator/operation.go, AllocateNext). */
  async #anyPort(): Promise<number> {
    if (this.#context.dryRun) return (this.#highestPort ?? firstShownPort - 1) + 1;
    return unlessFull('failed to allocate a nodePort', this.#nodePorts.takeAny());
  }

  async #guard<T>(field: Path, value: () => JsonValue, prefix: string, take: () => Promise<T>): Promise<T> {
    try {
      return await take();
    } catch (error) {
      if (error instanceof AllocationError) throw this.#invalid([invalid(field, value(), prefix + error.message)]);
      throw error;
    }
  }

  #invalid(errors: readonly FieldError[]): Error {
    return newInvalid(
      { group: '', kind: 'Service' },
      this.#service.metadata.name ?? '',
      withNamedStrings(schemaOfModel('io.k8s.api.core.v1.Service'), errors),
    );
  }

  async #undo(): Promise<void> {
    if (!this.#context.dryRun) for (const ip of this.#takenIPs) await this.#clusterIPs.release(ip, this.#context);
    if (!this.#context.dryRun) await this.#nodePorts.release([...this.#takenPorts]);
  }

  async #releaseOld(): Promise<void> {
    if (!this.#old || this.#context.dryRun) return;
    const kept = new Set(addressesOf(this.#service));
    for (const ip of addressesOf(this.#old)) if (!kept.has(ip)) await this.#clusterIPs.release(ip, this.#context);
    const ports = new Set(portsOf(this.#service));
    await this.#nodePorts.release(portsOf(this.#old).filter((port) => !ports.has(port)));
  }
}

/** Turns the error of an exhausted range into an internal error. */
async function unlessFull<T>(text: string, taking: Promise<T>): Promise<T> {
  try {
    return await taking;
  } catch (error) {
    throw error instanceof RangeFullError ? newInternalError(`${text}: ${error.message}`) : error;
  }
}

/** The node port that service ports of each number request; of several requests, the first. */
function askedPorts(ports: readonly JsonObject[]): ReadonlyMap<number | undefined, number> {
  const asked = new Map<number | undefined, number>();
  for (const port of ports) {
    const [number, nodePort] = [numberAt(port, 'port'), numberAt(port, 'nodePort')];
    if (nodePort && !asked.has(number)) asked.set(number, nodePort);
  }
  return asked;
}

/** A port as the field holds it. Those that a dry run shows beside the highest int32 go on below zero, as in Go. */
function toInt32(port: number): number {
  return port | 0;
}
