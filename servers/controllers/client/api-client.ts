import { STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';
import { remoteIdentity } from '#shared/authentication/hop-identity.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { bodyLines } from '#shared/webhooks/body-lines.ts';
import { ownHostPort, type OwnServer } from '#shared/webhooks/own-server.ts';

/** A refused request, with the Status of the answer as far as there is one. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Why, for programs: `AlreadyExists`, `Conflict`; empty without a Status. */
  readonly reason: string;
  /** The reasons of the Status's causes. */
  readonly causes: readonly string[];

  constructor(request: string, status: number, text: string) {
    const told = statusOf(text);
    super(told?.message ?? `${request} was answered with ${status} ${STATUS_CODES[status] ?? ''}`);
    this.status = status;
    this.reason = told?.reason ?? '';
    this.causes = told?.details?.causes?.map((cause) => cause.reason ?? '') ?? [];
  }
}

interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string }[] };
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default: application/json. */
  readonly contentType?: string;
  /** Default: application/json. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** Makes a server answer with metadata alone. */
export const metadataOnly = (list: '' | 'List'): string =>
  `application/json;as=PartialObjectMetadata${list};g=meta.k8s.io;v=v1,application/json`;

/** Requests to this cluster's own API as one user, through a gateway of this machine. */
export class ApiClient {
  readonly #server: OwnServer;
  readonly #headers: Record<string, string[]>;

  /** @param agent the user agent */
  constructor(server: OwnServer, user: UserInfo, agent: string) {
    this.#server = server;
    const identity = new Map<string, string[]>();
    const pairs = remoteIdentity(user);
    for (let at = 0; at < pairs.length; at += 2) {
      const name = (pairs[at] as string).toLowerCase();
      identity.set(name, [...(identity.get(name) ?? []), pairs[at + 1] as string]);
    }
    this.#headers = { ...Object.fromEntries(identity), 'user-agent': [agent] };
  }

  /**
   * The object of the answer.
   * @throws ApiError for an answer above 399
   * @throws Error if no gateway answers
   */
  async send<T>(request: ApiRequest): Promise<T> {
    return JSON.parse(await this.text(request)) as T;
  }

  /** The text of the answer. Throws as {@link send}. */
  async text(request: ApiRequest): Promise<string> {
    const { statusCode, body } = await this.#request(request);
    const text = await body.text();
    if (statusCode >= 400) throw new ApiError(`${request.method ?? 'GET'} ${request.path}`, statusCode, text);
    return text;
  }

  /**
   * The lines of a watch as they come.
   * @throws ApiError if it is refused
   * @throws Error if it breaks off
   */
  async *lines(request: ApiRequest): AsyncGenerator<string> {
    const { statusCode, body } = await this.#request(request);
    if (statusCode !== 200) throw new ApiError(`GET ${request.path}`, statusCode, await body.text());
    yield* bodyLines(body);
  }

  async #request({
    method = 'GET',
    path,
    body,
    contentType = 'application/json',
    accept = 'application/json',
    signal,
  }: ApiRequest): Promise<Dispatcher.ResponseData> {
    const { agent } = await this.#server.open();
    return await agent.request({
      origin: `http://${ownHostPort}`,
      path,
      method,
      headers: {
        host: ownHostPort,
        accept,
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...this.#headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? null,
    });
  }
}

function statusOf(text: string): Status | undefined {
  try {
    const value = JSON.parse(text) as Status | null;
    return typeof value?.message === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
