import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import { eventLine } from '#shared/audit/sinks/writing/event-line.ts';
import type { EventWriter } from '#shared/audit/sinks/writing/event-writer.ts';
import type { ReportDrop } from '#shared/audit/sinks/writing/sink-metrics.ts';
import { readKubeconfig } from '#shared/configuration/kubeconfig.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { KubeconfigWebhook } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';

export interface WebhookWriterOptions {
  /** The kubeconfig of the server that takes the events. */
  readonly file: string;
  /** The pause before the second attempt; each later one is half as long again. */
  readonly retryMs: number;
  /** How the server is reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
  readonly reportDrop: ReportDrop;
  readonly reportError: (message: string, error: unknown) => void;
  /** How long the end of the server waits for batches that fail. Default: 10 s. */
  readonly endMs?: number;
}

/** What comes before the members of an event that is no item of a list. */
const lineStart = '{"kind":"Event","apiVersion":"audit.k8s.io/v1",';
const listStart = Buffer.from('{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[');
const listEnd = Buffer.from(']}\n');
const [itemStart, nextItem] = [Buffer.from('{'), Buffer.from(',{')];
/** Successful answers are not read; those of errors are quoted. */
const maxAnswerBytes = 64 * 1024;
const defaultEndMs = 10_000;

/** Posts batches of events as an EventList (apiserver/plugin/pkg/audit/webhook). */
export class WebhookWriter implements EventWriter {
  readonly name = 'webhook';
  readonly #options: WebhookWriterOptions;
  readonly #webhook: KubeconfigWebhook;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** @throws ConfigurationError if the kubeconfig cannot be used */
  constructor(options: WebhookWriterOptions) {
    this.#options = options;
    this.#webhook = new KubeconfigWebhook({
      read: () => readKubeconfig(options.file).target(),
      reportError: (error) => options.reportError('the files of the audit webhook stay as they were', error),
      dial: options.dial,
      retryMs: options.retryMs,
      retriesAll: true,
      maxBytes: maxAnswerBytes,
      cutsAnswers: true,
    });
  }

  encode(event: AuditEvent): Buffer {
    return eventLine(event);
  }

  async write(lines: readonly Buffer[]): Promise<boolean> {
    try {
      await this.#webhook.post(eventList(lines), { signal: this.#ending.signal });
      return true;
    } catch (error) {
      const reason = this.#ending.signal.aborted ? 'closed' : 'write_failed';
      this.#options.reportDrop('webhook', reason, lines.length, error);
      return false;
    }
  }

  hurry(): void {
    const { endMs = defaultEndMs } = this.#options;
    this.#timer = setTimeout(() => this.#ending.abort(new Error('the server ends')), endMs).unref();
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#webhook.close();
    return Promise.resolve();
  }
}

/** The body of a call: events without kind and version of their own. */
function eventList(lines: readonly Buffer[]): Buffer {
  const items = lines.flatMap((line, index) => [index === 0 ? itemStart : nextItem, line.subarray(lineStart.length)]);
  return Buffer.concat([listStart, ...items, listEnd]);
}
