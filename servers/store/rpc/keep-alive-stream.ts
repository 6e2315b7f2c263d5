import type { ResponseHeader } from '../../../shared/storage/etcd-wire/kv-messages.ts';
import type { LeaseKeepAliveRequest } from '../../../shared/storage/etcd-wire/lease-messages.ts';
import type { ServerStream, StreamListener } from '../../../shared/storage/etcd-wire/service.ts';
import type { Lessor } from '../lease/lessor.ts';

/** One LeaseKeepAlive call: each request is answered with the TTL, 0 for a lease that is gone. */
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
