import { compareUtf8, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { countedPath } from '#shared/request/counted-as.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import { hasLivezGrace, healthGroup, healthRank } from './health-order.ts';
import { HealthMetrics } from './metrics/health-metrics.ts';
import type { PathMux } from './path-mux.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** Reports a fault by throwing or by returning a text; the text is shown only at the check's own path. */
type CheckFunction = () => string | undefined | void | Promise<string | undefined | void>;

export interface HealthCheck {
  readonly name: string;
  /** The endpoints that include the check; default: all. */
  readonly endpoints?: readonly HealthEndpoint[];
  /** The reference does not have this check, so it is shown only while it fails. */
  readonly quiet?: boolean;
  readonly check: CheckFunction;
}

interface HealthResult {
  readonly name: string;
  /** Empty if the check passed. */
  readonly reason: string;
  /** The name or group with which the client excluded the check; undefined if it did not. */
  readonly excludedBy: string | undefined;
}

interface HookState {
  readonly name: string;
  done: boolean;
  failure: string;
}

/**
 * The checks of /healthz, /livez and /readyz in the reference's order; each has a path of its own
 * (`/readyz/etcd`). Texts are the reference's (apiserver/pkg/server/healthz).
 */
export class HealthChecks {
  readonly metrics = new HealthMetrics();
  readonly #checks: HealthCheck[] = [];
  readonly #joined = new Map<string, CheckFunction[]>();
  readonly #hooks: HookState[] = [];
  readonly #startedAtMs = performance.now();
  readonly #livezGraceMs: number;
  readonly #onHookFailure: (hook: string, error: unknown) => void;
  #mux: PathMux | undefined;

  /**
   * `livezGraceMs`: how long after the start some checks do not count at /livez (see {@link hasLivezGrace}).
   * `onHookFailure` is called for each hook that fails.
   */
  constructor(livezGraceMs = 0, onHookFailure: (hook: string, error: unknown) => void = () => undefined) {
    this.#livezGraceMs = livezGraceMs;
    this.#onHookFailure = onHookFailure;
    this.add({ name: 'ping', check: () => undefined });
    this.add({ name: 'log', check: () => undefined });
  }

  add(check: HealthCheck): void {
    if (this.#checks.some((present) => present.name === check.name))
      throw new Error(`health check ${check.name} is already there`);
    this.#checks.push(check);
    if (this.#mux) this.#installOne(this.#mux, check);
  }

  /**
   * Registers a hook that runs when the server listens (`poststarthook/<name>`): its check fails until the hook has
   * finished, and permanently if the hook throws. Returns a function that runs the hook and never rejects.
   */
  addPostStartHook(name: string, run: () => Promise<void>): () => Promise<void> {
    const state: HookState = { name, done: false, failure: '' };
    this.#hooks.push(state);
    this.add({
      name: `poststarthook/${name}`,
      check: () => (state.done ? undefined : state.failure || 'not finished'),
    });
    return async () => {
      try {
        await run();
        state.done = true;
      } catch (error) {
        state.failure = error instanceof Error ? error.message : String(error);
        this.#onHookFailure(name, error);
      }
    };
  }

  /** Names of the checks of an endpoint, for the control stream. */
  names(endpoint: HealthEndpoint): string[] {
    return this.#at(endpoint).map((check) => check.name);
  }

  /** Fails a check that is there, or comes later, by what another process says of the same, too. */
  join(name: string, check: CheckFunction): void {
    this.#joined.set(name, [...(this.#joined.get(name) ?? []), check]);
  }

  /** Results of all checks of an endpoint; `reason` is empty if a check passed. */
  async run(endpoint: HealthEndpoint, excluded: ReadonlySet<string> = new Set()): Promise<HealthResult[]> {
    const checks = this.#at(endpoint);
    const results = await Promise.all(
      checks.map(async ({ name, check, quiet = false }) => {
        const by = [name, healthGroup(name)].find((each) => each !== '' && excluded.has(each));
        if (by !== undefined) return { name, reason: '', excludedBy: by, quiet: false };
        const reason = await this.#reasonOf(endpoint, name, check);
        if (reason !== '' || !quiet) this.metrics.observe(name, endpoint, reason === '');
        return { name, reason, excludedBy: undefined, quiet };
      }),
    );
    return results.filter(({ reason, quiet }) => reason !== '' || !quiet);
  }

  /** Serves the three endpoints and every check's own path. */
  install(mux: PathMux): void {
    this.#mux = mux;
    for (const endpoint of allEndpoints) mux.handle(`/${endpoint}`, this.#rootHandler(endpoint));
    for (const check of this.#checks) this.#installOne(mux, check);
  }

  /** Why a check fails at an endpoint; empty if it passes. */
  async #reasonOf(endpoint: HealthEndpoint, name: string, check: CheckFunction): Promise<string> {
    const isGraced = endpoint === 'livez' && hasLivezGrace(name);
    if (isGraced && performance.now() - this.#startedAtMs < this.#livezGraceMs) return '';
    let reason = await runCheck(check);
    for (const other of this.#joined.get(name) ?? []) if (reason === '') reason = await runCheck(other);
    return reason;
  }

  #at(endpoint: HealthEndpoint): HealthCheck[] {
    return this.#checks
      .filter((check) => (check.endpoints ?? allEndpoints).includes(endpoint))
      .toSorted((a, b) => healthRank(a.name) - healthRank(b.name));
  }

  #installOne(mux: PathMux, check: HealthCheck): void {
    for (const endpoint of check.endpoints ?? allEndpoints) {
      mux.handle(
        `/${endpoint}/${check.name}`,
        async ({ exchange }) => {
          const reason = await this.#reasonOf(endpoint, check.name, check.check);
          if (reason === '') exchange.send(200, plain, 'ok');
          else exchange.send(500, plainError, `internal server error: ${reason}\n`);
        },
        check.quiet === true ? 'unlisted' : 'listed',
      );
    }
  }

  #rootHandler(endpoint: HealthEndpoint): Handler {
    const counted = countedPath(`/${endpoint}`);
    return async (context: RequestContext) => {
      context.countedAs = counted;
      const excluded = new Set(context.info.query.getAll('exclude'));
      const results = await this.run(endpoint, excluded);
      const unknown = [...excluded]
        .filter((name) => !results.some((result) => result.name === name || result.excludedBy === name))
        .sort(compareUtf8);
      let text = results.map((result) => resultLine(result)).join('');
      if (unknown.length > 0) {
        text += `warn: some health checks cannot be excluded: no matches for ${unknown.map(goQuote).join(',')}\n`;
      }
      if (results.some((result) => result.reason !== '')) {
        context.exchange.send(500, plainError, `${text}${endpoint} check failed\n`);
      } else if (context.info.query.has('verbose')) {
        context.exchange.send(200, plainError, `${text}${endpoint} check passed\n`);
      } else context.exchange.send(200, plainError, 'ok');
    };
  }
}

const allEndpoints: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];
const plain = { 'content-type': 'text/plain; charset=utf-8' };
const plainError = { ...plain, 'x-content-type-options': 'nosniff' };

function resultLine(result: HealthResult): string {
  if (result.excludedBy !== undefined)
    return `[+]${result.name} excluded${result.excludedBy === result.name ? '' : ` with ${result.excludedBy}`}: ok\n`;
  return result.reason === '' ? `[+]${result.name} ok\n` : `[-]${result.name} failed: reason withheld\n`;
}

async function runCheck(check: CheckFunction): Promise<string> {
  try {
    return (await check()) ?? '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
