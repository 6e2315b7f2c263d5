import { isIP } from 'node:net';

/** How the server proves to a webhook who it is. */
export interface WebhookUser {
  readonly certificate?: { readonly cert: Buffer; readonly key: Buffer };
  /** Of each request. */
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** The users of a kubeconfig, whose names say for which webhooks they are. */
export interface WebhookUsers {
  has(name: string): boolean;
  /** @throws Error whose message says why the user cannot be used */
  user(name: string): WebhookUser;
  /** The user of all other webhooks; empty where there is none. */
  readonly currentUser: string;
}

const nobody: WebhookUser = { headers: {} };

const defaultPort = ':443';
const freshMs = 60_000;
const maxKnown = 200;

/**
 * The user for a webhook at `host:port`: the one of that name, of a domain above (`*.example.com:8443`), of those
 * without the port if it is 443, of all (`*`), or the current one.
 */
export function userFor(users: WebhookUsers | undefined, hostPort: string): WebhookUser {
  if (users === undefined) return nobody;
  const host = hostPort.endsWith(defaultPort) ? unbracketed(hostPort.slice(0, -defaultPort.length)) : undefined;
  const names = [hostPort, ...domains(hostPort), ...(host === undefined ? [] : [host, ...domains(host)]), '*'];
  const name = names.find((candidate) => users.has(candidate)) ?? users.currentUser;
  return name !== '' && users.has(name) ? users.user(name) : nobody;
}

function domains(host: string): string[] {
  const labels = host.split('.');
  return labels.slice(1).map((_label, at) => `*.${labels.slice(at + 1).join('.')}`);
}

function unbracketed(host: string): string {
  const inner = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(inner) === 6 ? inner : host;
}

/** The users of one kubeconfig, read again after a minute: the files that they name may have changed. */
export class FreshUsers {
  readonly #users: WebhookUsers | undefined;
  readonly #known = new Map<string, { readonly user: WebhookUser; readonly sinceMs: number }>();

  constructor(users: WebhookUsers | undefined) {
    this.#users = users;
  }

  /** As {@link userFor}. */
  at(hostPort: string): WebhookUser {
    if (this.#users === undefined) return nobody;
    const known = this.#known.get(hostPort);
    if (known !== undefined && performance.now() - known.sinceMs < freshMs) return known.user;
    const user = userFor(this.#users, hostPort);
    this.#known.delete(hostPort);
    this.#known.set(hostPort, { user, sinceMs: performance.now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return user;
  }
}
