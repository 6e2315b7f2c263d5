import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { newTooManyRequests } from '../../apimachinery/status.ts';
import { JsonDepthError } from '../json/scan.ts';
import { YamlFailure } from './failure.ts';
import type { YamlAnswer, YamlTask } from './thread-messages.ts';

/** A document as JSON text in UTF-8, with what a strict reader says of it. */
export interface YamlAsJson {
  readonly json: Uint8Array;
  readonly strictErrors: string[];
}

export interface YamlThreadOptions {
  /** Documents that may wait for the one that is read; more are told to come again. */
  readonly mostWaiting: number;
  /** For one document; the thread is ended then, and its request fails. */
  readonly patienceMs: number;
  /** Without a document for so long, the thread is ended. */
  readonly idleMs: number;
  /** Heap of the thread, for one document and what is made of it. */
  readonly heapMb: number;
  /** Program of the thread. */
  readonly program: () => URL;
}

interface Asked {
  readonly bytes: Uint8Array;
  readonly resolve: (answer: YamlAsJson) => void;
  readonly reject: (error: Error) => void;
}

/** Beside this module in the sources; in a bundle, beside the bundle. */
const workerFiles = ['./yaml-worker.ts', './yaml-worker.js'];
/** As much as the other threads have (`servers/launcher/stack-size.ts`): documents are nested up to 10,000 levels deep. */
const stackMb = 31;

/** Where the program of the thread is. */
export function beside(): URL {
  const found = workerFiles.map((file) => new URL(file, import.meta.url)).find((url) => existsSync(fileURLToPath(url)));
  if (found === undefined) throw new Error(`the program that reads YAML is missing: neither ${workerFiles.join(' nor ')} is beside ${import.meta.url}`);
  return found;
}

const defaults: YamlThreadOptions = { mostWaiting: 32, patienceMs: 60_000, idleMs: 30_000, heapMb: 1024, program: beside };

/**
 * A thread that reads YAML documents, one after the other. It begins with the first document, ends when there is none for a
 * while, and begins anew after it failed; it keeps no process from ending.
 */
export class YamlThread {
  readonly #options: YamlThreadOptions;
  readonly #waiting: Asked[] = [];
  #worker: Worker | undefined;
  #current: Asked | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Partial<YamlThreadOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Reads a document.
   * @throws YamlFailure, JsonDepthError or RangeError as `parseYaml` does; StatusError 429 when too many wait (as rejections)
   */
  read(bytes: Uint8Array): Promise<YamlAsJson> {
    if (this.#waiting.length >= this.#options.mostWaiting) return Promise.reject(newTooManyRequests('too many large YAML documents wait to be read, please try again later', 1));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      if (this.#current === undefined) this.#next();
    });
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      this.#worker?.unref();
      this.#timer = setTimeout(() => this.#end(), this.#options.idleMs).unref();
      return;
    }
    try {
      const worker = (this.#worker ??= this.#start());
      worker.ref();
      this.#timer = setTimeout(() => this.#fail(new YamlFailure('yaml: document takes too long to be read')), this.#options.patienceMs).unref();
      // A copy that the thread may have: the body is shown in errors, and may lie in memory that others share.
      const bytes = new Uint8Array(this.#current.bytes);
      worker.postMessage({ bytes } satisfies YamlTask, [bytes.buffer]);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#options.program(), { resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb, stackSizeMb: stackMb } });
    const failed = (error: Error): void => {
      if (this.#worker === worker) this.#fail(error);
    };
    worker.on('message', (answer: YamlAnswer) => {
      if (this.#worker === worker) this.#answer(answer);
    });
    worker.on('error', (error: Error & { code?: string }) => failed(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new YamlFailure('yaml: document takes too much memory to be read') : error));
    worker.on('exit', (code) => failed(new Error(`the thread that reads YAML ended (${code})`)));
    return worker;
  }

  #answer(answer: YamlAnswer): void {
    const asked = this.#current;
    this.#next();
    if (answer.ok) asked?.resolve(answer);
    else asked?.reject(refusal(answer));
  }

  /** The document that is read fails; those that wait have a new thread. */
  #fail(error: Error): void {
    const asked = this.#current;
    this.#end();
    this.#next();
    asked?.reject(error);
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}

function refusal({ failure, message }: Extract<YamlAnswer, { ok: false }>): Error {
  switch (failure) {
    case 'yaml': return new YamlFailure(message);
    case 'list': return new JsonDepthError('[');
    case 'object': return new JsonDepthError('{');
    case 'stack': return new RangeError(message);
    default: return new Error(message);
  }
}
