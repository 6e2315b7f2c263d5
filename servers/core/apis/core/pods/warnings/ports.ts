import type { Path } from '../../../../../../shared/apimachinery/field-error.ts';
import { goQuote } from '../../../../../../shared/apimachinery/go-format.ts';
import type { JsonObject } from '../../../../../../shared/apimachinery/json.ts';
import { numberAt, objectsAt, stringAt } from '../../../../../../shared/apimachinery/object.ts';
import { EarlierItems } from '../../../../warnings/earlier-items.ts';

interface Port {
  /** Where its container is; paths are made for warnings only. */
  readonly container: Path;
  readonly index: number;
  readonly hostIp: string;
  readonly hostPort: number;
}

/** Ports that the containers of one pod have in common (pkg/api/pod/warnings.go). */
export class PortWarnings {
  readonly #definitions: string[] = [];
  readonly #firsts = new Map<string, Port>();
  readonly #shared = new Map<string, EarlierItems<Port>>();
  readonly #byName = new Map<string, Port>();
  readonly #names: string[] = [];

  /** The ports of a container; those of all containers in turn. */
  add(container: JsonObject, field: Path): void {
    for (const [index, port] of objectsAt(container, 'ports').entries())
      this.#add(port, {
        container: field,
        index,
        hostIp: stringAt(port, 'hostIP'),
        hostPort: numberAt(port, 'hostPort') ?? 0,
      });
  }

  /** What is to be said of all that were added; of their names last. */
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
