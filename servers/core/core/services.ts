import { invalid, path, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonValue } from '../../../shared/apimachinery/json.ts';
import { numberAt, objectsAt, stringAt, stringsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { ensureObject } from '../../../shared/apimachinery/set-default.ts';
import { newInternalError, newInvalid } from '../../../shared/apimachinery/status.ts';
import type { Finish, OperationContext, Strategy } from '../../../shared/registry/strategy.ts';
import { AllocationError, type ClusterIPs } from '../allocation/cluster-ips.ts';
import type { NodePorts } from '../allocation/node-ports.ts';
import { applyServiceDefaults, needsHealthCheckPort, needsNodePorts } from './service-defaults.ts';
import { assignFamilies, dropTypeDependentFields, normalizeClusterIPs } from './service-families.ts';
import { validateService, validateServiceName, validateServiceUpdate } from './service-validation.ts';

export interface ServiceAllocators {
  readonly clusterIPs: ClusterIPs;
  readonly nodePorts: NodePorts;
}

/** Services (pkg/registry/core/service): addresses and node ports are taken before the write and given back if it fails. */
export function serviceStrategy({ clusterIPs, nodePorts }: ServiceAllocators): Strategy {
  return {
    validateName: validateServiceName,
    applyDefaults: applyServiceDefaults,
    prepareForCreate(_context, service) {
      service['status'] = { loadBalancer: {} };
      normalizeClusterIPs(service, undefined);
    },
    validate: (_context, service) => validateService(service),
    prepareForUpdate(_context, service, old) {
      dropTypeDependentFields(service, old);
      keepAllocated(service, old);
      normalizeClusterIPs(service, old);
    },
    validateUpdate: (_context, service, old) => validateServiceUpdate(service, old),
    beginCreate: (context, service) => new Allocation(context, service, undefined, clusterIPs, nodePorts).run(),
    beginUpdate: (context, service, old) => new Allocation(context, service, old, clusterIPs, nodePorts).run(),
    async afterDelete(context, service) {
      if (context.dryRun) return;
      for (const ip of addressesOf(service)) await clusterIPs.release(context, ip);
      await nodePorts.release(portsOf(service));
    },
    selectableFields: (service) => ({ 'spec.clusterIP': stringAt(service, 'spec', 'clusterIP'), 'spec.type': stringAt(service, 'spec', 'type') }),
  };
}

/** What a client that does not know its allocated values leaves out stays as it was (patchAllocatedValues). */
function keepAllocated(service: KubeObject, old: KubeObject): void {
  const spec = ensureObject(service, 'spec');
  if (needsClusterIP(old) && needsClusterIP(service) && stringAt(spec, 'clusterIP') === '') {
    const ip = stringAt(old, 'spec', 'clusterIP');
    if (ip !== '') spec['clusterIP'] = ip;
    if (stringsAt(spec, 'clusterIPs').length === 0 && ip !== '') spec['clusterIPs'] = [...stringsAt(old, 'spec', 'clusterIPs')];
  }
  if (needsNodePorts(old) && needsNodePorts(service)) keepNodePorts(service, old);
  const check = numberAt(old, 'spec', 'healthCheckNodePort');
  if (needsHealthCheckPort(old) && needsHealthCheckPort(service) && check && !numberAt(spec, 'healthCheckNodePort')) spec['healthCheckNodePort'] = check;
}

/** A port keeps its node port by protocol and port number, else the ones that are left go in order by protocol. */
function keepNodePorts(service: KubeObject, old: KubeObject): void {
  const used = new Set(portsOf(service));
  for (const port of objectsAt(service, 'spec', 'ports')) {
    if (numberAt(port, 'nodePort')) continue;
    const same = objectsAt(old, 'spec', 'ports').find((before) => stringAt(before, 'protocol') === stringAt(port, 'protocol') && numberAt(before, 'port') === numberAt(port, 'port'));
    const held = same && numberAt(same, 'nodePort');
    if (held && !used.has(held)) {
      port['nodePort'] = held;
      used.add(held);
    }
  }
}

function needsClusterIP(service: KubeObject): boolean {
  return stringAt(service, 'spec', 'type') !== 'ExternalName';
}

function addressesOf(service: KubeObject): string[] {
  return stringsAt(service, 'spec', 'clusterIPs').filter((ip) => ip !== '' && ip !== 'None');
}

function portsOf(service: KubeObject): number[] {
  const check = numberAt(service, 'spec', 'healthCheckNodePort');
  const ports = objectsAt(service, 'spec', 'ports').flatMap((port) => numberAt(port, 'nodePort') || []);
  return check ? [...ports, check] : ports;
}

/** One write's takings: undone together when the write fails, what the old state held is given back when it succeeds. */
class Allocation {
  readonly #context: OperationContext;
  readonly #service: KubeObject;
  readonly #old: KubeObject | undefined;
  readonly #clusterIPs: ClusterIPs;
  readonly #nodePorts: NodePorts;
  readonly #takenIPs: string[] = [];
  readonly #takenPorts: number[] = [];

  constructor(context: OperationContext, service: KubeObject, old: KubeObject | undefined, clusterIPs: ClusterIPs, nodePorts: NodePorts) {
    this.#context = context;
    this.#service = service;
    this.#old = old;
    this.#clusterIPs = clusterIPs;
    this.#nodePorts = nodePorts;
  }

  async run(): Promise<Finish> {
    try {
      await this.#takeAddresses();
      await this.#takePorts();
    } catch (error) {
      await this.#undo();
      throw error;
    }
    return async (succeeded) => (succeeded ? this.#releaseOld() : this.#undo());
  }

  async #takeAddresses(): Promise<void> {
    const errors = assignFamilies(this.#service, this.#clusterIPs.families());
    if (errors.length > 0) throw this.#invalid(errors);
    if (!needsClusterIP(this.#service)) return;
    const spec = ensureObject(this.#service, 'spec');
    if (stringAt(spec, 'clusterIP') === 'None') return;
    const held = new Set(this.#old ? addressesOf(this.#old) : []);
    const ips = [...stringsAt(spec, 'clusterIPs')];
    for (const [index, family] of (stringsAt(spec, 'ipFamilies') as ('IPv4' | 'IPv6')[]).entries()) {
      const wanted = ips[index];
      if (wanted === undefined || wanted === '') ips[index] = await this.#anyAddress(family);
      else if (!held.has(wanted)) await this.#address(wanted);
    }
    spec['clusterIPs'] = ips;
    spec['clusterIP'] = ips[0] ?? '';
  }

  async #anyAddress(family: 'IPv4' | 'IPv6'): Promise<string> {
    const ip = await this.#guard(path('spec', 'clusterIPs'), () => [...stringsAt(this.#service, 'spec', 'clusterIPs')], 'failed to allocate a serviceIP: ', () =>
      this.#clusterIPs.takeAny(this.#context, this.#service, family));
    this.#takenIPs.push(ip);
    return ip;
  }

  async #address(ip: string): Promise<void> {
    await this.#guard(path('spec', 'clusterIPs'), () => [...stringsAt(this.#service, 'spec', 'clusterIPs')], `failed to allocate IP ${ip}: `, () =>
      this.#clusterIPs.take(this.#context, this.#service, ip));
    this.#takenIPs.push(ip);
  }

  async #takePorts(): Promise<void> {
    const held = new Set(this.#old ? portsOf(this.#old) : []);
    if (needsNodePorts(this.#service)) await this.#takeNodePorts(held);
    if (!needsHealthCheckPort(this.#service)) return;
    const spec = ensureObject(this.#service, 'spec');
    const wanted = numberAt(spec, 'healthCheckNodePort');
    if (wanted && held.has(wanted)) return;
    try {
      spec['healthCheckNodePort'] = await this.#port(wanted);
    } catch (error) {
      if (!(error instanceof AllocationError)) throw error;
      throw newInternalError(`failed to allocate requested HealthCheck NodePort ${wanted ?? 0}: ${error.message}`);
    }
  }

  /** TCP and UDP on one node port share one allocation. */
  async #takeNodePorts(held: ReadonlySet<number>): Promise<void> {
    const protocols = new Map<number, Set<string>>();
    for (const [index, port] of objectsAt(this.#service, 'spec', 'ports').entries()) {
      const wanted = numberAt(port, 'nodePort') || undefined;
      const protocol = stringAt(port, 'protocol');
      const shared = wanted === undefined ? undefined : protocols.get(wanted);
      if (wanted !== undefined && (held.has(wanted) || (shared !== undefined && !shared.has(protocol)))) {
        protocols.set(wanted, (shared ?? new Set()).add(protocol));
        continue;
      }
      const field = path('spec', 'ports').index(index).child('nodePort');
      const got = await this.#guard(field, () => wanted ?? 0, '', () => this.#port(wanted));
      port['nodePort'] = got;
      protocols.set(got, new Set([protocol]));
    }
  }

  async #port(wanted: number | undefined): Promise<number> {
    const port = wanted ?? (await this.#nodePorts.takeAny(this.#context.dryRun));
    if (wanted !== undefined) await this.#nodePorts.take(wanted, this.#context.dryRun);
    if (!this.#context.dryRun) this.#takenPorts.push(port);
    return port;
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
    return newInvalid({ group: '', kind: 'Service' }, this.#service.metadata.name ?? '', errors);
  }

  async #undo(): Promise<void> {
    if (!this.#context.dryRun) for (const ip of this.#takenIPs) await this.#clusterIPs.release(this.#context, ip);
    await this.#nodePorts.release(this.#takenPorts);
  }

  async #releaseOld(): Promise<void> {
    if (!this.#old || this.#context.dryRun) return;
    const kept = new Set(addressesOf(this.#service));
    for (const ip of addressesOf(this.#old)) if (!kept.has(ip)) await this.#clusterIPs.release(this.#context, ip);
    const ports = new Set(portsOf(this.#service));
    await this.#nodePorts.release(portsOf(this.#old).filter((port) => !ports.has(port)));
  }
}
