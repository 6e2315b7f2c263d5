import { hostname } from 'node:os';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { formatMicroTime } from '#shared/apimachinery/values/time.ts';
import { systemContext } from '#shared/registry/system-context.ts';

export interface Warning {
  /** The event's reason: what was observed, in CamelCase. */
  readonly reason: string;
  /** The event's action: what was done about it, in CamelCase. */
  readonly action: string;
  readonly note: string;
}

/**
 * Writes Events for a controller of this server (client-go/tools/events). A process writes each warning about an object
 * only once.
 */
export class EventRecorder {
  readonly #core: CoreContext;
  readonly #controller: string;
  readonly #recorded = new Set<string>();

  constructor(core: CoreContext, controller: string) {
    this.#core = core;
    this.#controller = controller;
  }

  async warn(regarding: KubeObject, { reason, action, note }: Warning): Promise<void> {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = regarding.metadata;
    const known = `${uid} ${reason} ${note}`;
    if (this.#recorded.has(known)) return;
    this.#recorded.add(known);
    const { apiVersion = '', kind = '' } = regarding;
    const nowMs = objectNowMs();
    const home = namespace === '' ? 'default' : namespace;
    const event: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${name}.${(BigInt(nowMs) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n)).toString(16)}`,
        namespace: home,
      },
      involvedObject: { kind, ...(namespace === '' ? {} : { namespace }), name, uid, apiVersion, resourceVersion },
      reason,
      action,
      message: note,
      type: 'Warning',
      eventTime: formatMicroTime({ seconds: Math.floor(nowMs / 1000), nanos: (nowMs % 1000) * 1e6 }),
      reportingComponent: this.#controller,
      reportingInstance: `${this.#controller}-${hostname()}`,
    };
    await this.#core.store('', 'events').create(event, systemContext({ namespace: home }));
  }
}
