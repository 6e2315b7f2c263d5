import type { Lessor } from '#servers/store/lease/lessor.ts';
import type { ResponseHeader } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { LeaseKeepAliveRequest } from '#shared/storage/etcd-wire/lease-messages.ts';
import type { ServerStream, StreamListener } from '#shared/storage/etcd-wire/service.ts';

/** One LeaseKeepAlive call: the answer to each request has the lease's TTL, or 0 if the lease does not exist. */
export class KeepAliveStream implements StreamListener<'Lease/LeaseKeepAlive'> {
  readonly #stream: ServerStream<'Lease/LeaseKeepAlive'>;
  readonly #lessor: Lessor;
  readonly #header: () => ResponseHeader;

  constructor(stream: ServerStream<'Lease/LeaseKeepAlive'>, lessor: Lessor, header: () => ResponseHeader) {
    this.#stream = stream;
    this.#lessor = lessor;
    this.#header = header;
  }

  onMessage(request: LeaseKeepAliveRequest): void {
    this.#stream.send({ header: this.#header(), id: request.id, ttl: this.#lessor.renew(request.id) });
  }

  onHalfClose(): void {
    this.#stream.end();
  }

  onClose(): void {}

  onDrain(): void {}
}
