import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, UNKNOWN, ageOf, cellsOf, count, formatMap, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printService(object: JsonObject): Cell[] {
  const ports = objectsAt(object, 'spec', 'ports').map((port) => {
    const nodePort = count(port, 'nodePort');
    return `${count(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${stringAt(port, 'protocol')}`;
  });
  return [
    nameOf(object),
    stringAt(object, 'spec', 'type'),
    stringsAt(object, 'spec', 'clusterIPs')[0] ?? NONE,
    externalAddress(object),
    ports.length === 0 ? NONE : ports.join(','),
    ageOf(object),
    formatMap(object, 'spec', 'selector'),
  ];
}

function externalAddress(service: JsonObject): string {
  const external = stringsAt(service, 'spec', 'externalIPs');
  switch (stringAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.length === 0 ? NONE : external.join(',');
    case 'LoadBalancer': {
      const all = [...loadBalancerAddresses(service), ...external];
      return all.length === 0 ? '<pending>' : all.join(',');
    }
    case 'ExternalName':
      return stringAt(service, 'spec', 'externalName');
    default:
      return UNKNOWN;
  }
}

/** Addresses or host names of `status.loadBalancer`, each once, sorted. */
export function loadBalancerAddresses(object: JsonObject): string[] {
  const addresses = objectsAt(object, 'status', 'loadBalancer', 'ingress').map((item) =>
    textOr(stringAt(item, 'hostname'), item, 'ip'),
  );
  return [...new Set(addresses.filter((item) => item !== ''))].sort(compareUtf8);
}

const shownAddresses = 3;

function printEndpoints(object: JsonObject): Cell[] {
  const subsets = objectsAt(object, 'subsets');
  const total = subsets.reduce((sum, subset) => sum + addressCount(subset), 0);
  const more = total > shownAddresses ? ` + ${total - shownAddresses} more...` : '';
  const text = subsets.length === 0 ? NONE : subsets.flatMap(firstAddresses).slice(0, shownAddresses).join(',') + more;
  return [nameOf(object), text, ageOf(object)];
}

function addressCount(subset: JsonObject): number {
  return objectsAt(subset, 'addresses').length * Math.max(objectsAt(subset, 'ports').length, 1);
}

/** At least as many of the subset's addresses as are shown: each port with each of the first IPs. */
function firstAddresses(subset: JsonObject): string[] {
  const ips = objectsAt(subset, 'addresses')
    .slice(0, shownAddresses)
    .map((item) => stringAt(item, 'ip'));
  const ports = objectsAt(subset, 'ports').slice(0, shownAddresses);
  if (ports.length === 0) return ips;
  return ports.flatMap((port) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${count(port, 'port')}`));
}

export const serviceRows: KindRows = {
  print: cellsOf(printService),
};

export const endpointsRows: KindRows = {
  print: cellsOf(printEndpoints),
};
