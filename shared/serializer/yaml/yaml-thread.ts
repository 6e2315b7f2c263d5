import { newTooManyRequests } from '#shared/apimachinery/errors/status.ts';
import { TaskThread, type TaskThreadOptions } from '#shared/apimachinery/slices/task-thread.ts';
import { threadProgram } from '#shared/apimachinery/slices/thread-program.ts';
import { JsonDepthError } from '#shared/serializer/json/scan.ts';
import { YamlFailure } from './failure.ts';
import type { YamlAnswer, YamlTask } from './thread-messages.ts';

/** A document as JSON text in UTF-8, with the strict reader's errors. */
export interface YamlAsJson {
  readonly json: Uint8Array;
  readonly strictErrors: string[];
}

export type YamlThreadOptions = Omit<TaskThreadOptions, 'failures' | 'stackMb'>;

/** The URL of the thread's program. */
export const yamlWorkerUrl = threadProgram('yaml-worker', import.meta.url);

/**
 * The same stack size as the other threads (`servers/launcher/stack-size.ts`): documents are nested up to 10,000 levels
 * deep.
 */
const stackMb = 31;
const defaults: YamlThreadOptions = {
  mostWaiting: 32,
  patienceMs: 60_000,
  idleMs: 30_000,
  heapMb: 1024,
  program: yamlWorkerUrl,
};
const failures = {
  tooMany: () => newTooManyRequests('too many large YAML documents wait to be read, please try again later', 1),
  tooLong: () => new YamlFailure('yaml: document takes too long to be read'),
  tooLarge: () => new YamlFailure('yaml: document takes too much memory to be read'),
};

/** A thread that reads YAML documents, one after the other. */
export class YamlThread {
  readonly #thread: TaskThread<YamlTask, YamlAnswer>;

  constructor(options: Partial<YamlThreadOptions> = {}) {
    this.#thread = new TaskThread({ ...defaults, ...options, stackMb, failures });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * Reads a document.
   * @throws YamlFailure, JsonDepthError or RangeError as `parseYaml` does; StatusError 429 when too many documents wait
   *   (as rejections)
   */
  async read(bytes: Uint8Array): Promise<YamlAsJson> {
    const answer = await this.#thread.ask(() => {
      // Transfers a copy to the thread: the body is still needed for errors, and may be in a shared buffer.
      const copy = new Uint8Array(bytes);
      return { task: { bytes: copy }, transfer: [copy.buffer] };
    });
    if (answer.ok) return answer;
    throw refusal(answer);
  }
}

function refusal({ failure, message }: Extract<YamlAnswer, { ok: false }>): Error {
  switch (failure) {
    case 'yaml':
      return new YamlFailure(message);
    case 'list':
      return new JsonDepthError('[');
    case 'object':
      return new JsonDepthError('{');
    case 'stack':
      return new RangeError(message);
    default:
      return new Error(message);
  }
}
