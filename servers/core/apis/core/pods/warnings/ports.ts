import { EarlierItems } from '#servers/core/warnings/earlier-items.ts';
import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

interface Port {
  /** The path of the container. The path of the port is made only if there is a warning. */
  readonly container: Path;
  readonly index: number;
  readonly hostIp: string;
  readonly hostPort: number;
}

/** Collects warnings about the ports of one pod's containers, such as duplicates (pkg/api/pod/warnings.go). */
export class PortWarnings {
  readonly #definitions: string[] = [];
  readonly #firsts = new Map<string, Port>();
  readonly #shared = new Map<string, EarlierItems<Port>>();
  readonly #byName = new Map<string, Port>();
  readonly #names: string[] = [];

  /** Adds the ports of a container; called for all containers in turn. */
  add(container: JsonObject, field: Path): void {
    for (const [index, port] of objectsAt(container, 'ports').entries())
      this.#add(port, {
        container: field,
        index,
        hostIp: stringAt(port, 'hostIP'),
        hostPort: numberAt(port, 'hostPort') ?? 0,
      });
  }

  /** The warnings about all added ports; those about port names come last. */
  get texts(): string[] {
    return [...this.#definitions, ...this.#names];
  }

  #add(content: JsonObject, port: Port): void {
    const [name, number, protocol] = [
      stringAt(content, 'name'),
      numberAt(content, 'containerPort') ?? 0,
      stringAt(content, 'protocol'),
    ];
    if (port.hostIp !== '' && port.hostPort === 0) {
      this.#definitions.push(
        `${shown(port)}: hostIP set without hostPort: {Name:${name} HostPort:0 ContainerPort:${number} Protocol:${protocol} HostIP:${port.hostIp}}`,
      );
    }
    this.#addNumber(`${number}/${protocol}`, port);
    if (name !== '') this.#addName(name, port);
  }

  #addNumber(key: string, port: Port): void {
    const first = this.#firsts.get(key);
    if (first === undefined) this.#firsts.set(key, port);
    else this.#definitions.push(...this.#sharing(key, first).add(port));
  }

  #sharing(key: string, first: Port): EarlierItems<Port> {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const made = new EarlierItems(conflict);
    made.add(first);
    this.#shared.set(key, made);
    return made;
  }

  #addName(name: string, port: Port): void {
    const first = this.#byName.get(name);
    if (first === undefined) this.#byName.set(name, port);
    else
      this.#names.push(
        `${shown(port)}: duplicate port name ${goQuote(name)} with ${shown(first)}, services and probes that select ports by name will use ${shown(first)}`,
      );
  }
}

function shown({ container, index }: Port): string {
  return container.child('ports').index(index).toString();
}

/** The warning about two ports with the same number and protocol, if they conflict. */
function conflict(port: Port, earlier: Port): string | undefined {
  const is = (what: string): string => `${shown(port)}: ${what} port definition with ${shown(earlier)}`;
  if (port.hostIp === earlier.hostIp && port.hostPort === earlier.hostPort) return is('duplicate');
  if (port.hostPort === 0 || earlier.hostPort === 0) return is('overlapping');
  return port.hostPort === earlier.hostPort && (port.hostIp === '') !== (earlier.hostIp === '')
    ? is('dangerously ambiguous')
    : undefined;
}
