import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions as HttpsAgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { outsideSpans } from '#shared/spans/active-span.ts';
import { addressOf, secureSocket } from './secure-socket.ts';

type OnCreated = (error: Error | null, socket: Duplex) => void;

/** An agent of node:http; with `dial`, its connections go through a proxy. */
export function httpAgent(options: AgentOptions, dial: EgressDial | undefined): HttpAgent {
  return dial === undefined ? new DirectHttpAgent(options) : new DialingHttpAgent(options, dial);
}

/**
 * An agent of node:https; with `dial`, its connections go through a proxy. It is no class of its own, which would need
 * `node:https` as soon as a program starts.
 */
export function httpsAgent(agentOptions: HttpsAgentOptions, dial: EgressDial | undefined): HttpsAgent {
  const agent = new HttpsAgent(agentOptions);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection =
    dial === undefined
      ? (...asked) => outsideSpans(() => connect(...asked))
      : (options: RequestOptions, onCreated?: OnCreated) => dialSecurely(dial, options, onCreated);
  return agent;
}

function dialSecurely(dial: EgressDial, options: RequestOptions, onCreated?: OnCreated): undefined {
  const { host, port } = options;
  dial(addressOf(host ?? '', port ?? 443)).then(
    (socket) =>
      onCreated?.(
        null,
        outsideSpans(() => secureSocket(socket, options as object)),
      ),
    (error: Error) => onCreated?.(error, undefined as never),
  );
}

/** A connection is no part of the request that needs it first, which it outlives. */
class DirectHttpAgent extends HttpAgent {
  override createConnection(
    ...asked: Parameters<HttpAgent['createConnection']>
  ): ReturnType<HttpAgent['createConnection']> {
    return outsideSpans(() => super.createConnection(...asked));
  }
}

class DialingHttpAgent extends HttpAgent {
  readonly #dial: EgressDial;

  constructor(options: AgentOptions, dial: EgressDial) {
    super(options);
    this.#dial = dial;
  }

  override createConnection({ host, port }: ClientRequestArgs, onCreated?: OnCreated): undefined {
    this.#dial(addressOf(host ?? '', port ?? 80)).then(
      (socket) => onCreated?.(null, socket),
      (error: Error) => onCreated?.(error, undefined as never),
    );
  }
}
