import type { Readable } from 'node:stream';
import { addFraming, targetHeaders, type TargetHeaders } from '#servers/core/kubelet/target-headers.ts';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { Exchange, NodeExchange } from '#shared/request/exchange.ts';
import { relayInformation } from '#shared/request/relay/relay-body.ts';
import type { AnswerHandler, RelayedCall, RelayRoute } from '#shared/request/relay/relay.ts';
import { carryRequest, UnwantedUpgradeError } from './carry-request.ts';
import { describeFailure } from './describe-failure.ts';
import { forwardedUri, type ProxiedUrlMapping } from './links.ts';
import { answerFrom } from './proxied-answer.ts';
import { unreachable, type ProxyTarget } from './target.ts';

export interface SentRequest {
  readonly target: ProxyTarget;
  readonly mapping: ProxiedUrlMapping;
  /** Path and query as they are sent. */
  readonly path: string;
}

/** The way of a request to its target, by http-proxy-3. */
export class TargetRoute implements RelayRoute {
  readonly #exchange: Exchange;
  readonly #node: NodeExchange;
  readonly #sent: SentRequest;
  readonly #headers: TargetHeaders;
  /** The proxy, not the client, asks for gzip. */
  readonly #unzips: boolean;
  #body: Readable | undefined;
  /** The request may go over a kept-alive connection, after which it is sent again on a new one. */
  #isRepeatable: boolean;
  /** The target may have just closed the kept-alive connection. */
  #wasStale = false;

  constructor(exchange: Exchange, node: NodeExchange, sent: SentRequest) {
    this.#exchange = exchange;
    this.#node = node;
    this.#sent = sent;
    const headers = (this.#headers = targetHeaders(exchange));
    addFraming(headers, exchange);
    headers.set('X-Forwarded-Uri', forwardedUri(sent.mapping));
    const encodings = headers.get('Accept-Encoding') ?? '';
    this.#unzips = encodings === '' && !headers.has('Range') && exchange.method !== 'HEAD';
    if (this.#unzips) headers.set('Accept-Encoding', headers.has('Accept-Encoding') ? ['', 'gzip'] : 'gzip');
    this.#isRepeatable = /^(?:GET|HEAD|OPTIONS)$/.test(exchange.method) && !exchange.hasBody;
  }

  send(handler: AnswerHandler): RelayedCall {
    const { target, path, mapping } = this.#sent;
    carryRequest(this.#node, {
      target,
      path,
      headers: this.#headers,
      isRepeatable: this.#isRepeatable,
      // Headers are set when the socket is there, and would be sent by a body that comes before.
      waitsForBody: this.#exchange.expectsContinue || target.isDialed,
      onRequest: (made) => relayInformation(made, handler),
      onAnswer: (answer) => {
        try {
          this.#body = answerFrom(this.#exchange, answer, { mapping, unzips: this.#unzips }, handler);
        } catch (error) {
          answer.destroy();
          handler.onError(error as Error);
        }
      },
      onError: (error, wasReused) => {
        this.#wasStale = wasReused && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        handler.onError(error);
      },
    }).catch((error: Error) => handler.onError(error));
    return { resume: () => this.#body?.resume(), abort: () => this.#body?.destroy() };
  }

  resend(_error: Error, handler: AnswerHandler): RelayedCall | undefined {
    if (!this.#wasStale || !this.#isRepeatable) return undefined;
    this.#isRepeatable = false;
    return this.send(handler);
  }

  refuse(error: Error): StatusError {
    // The rest of the body is read and discarded, so that the client gets the response. A client that was not asked for
    // its body does not send it.
    const { request } = this.#node;
    if (!this.#exchange.expectsContinue || request.readableFlowing !== null) request.resume();
    if (error instanceof StatusError) return error;
    if (error instanceof UnwantedUpgradeError) return new StatusError(failureStatus(500, '', error.message));
    return unreachable(describeFailure(error, this.#sent.target));
  }
}
