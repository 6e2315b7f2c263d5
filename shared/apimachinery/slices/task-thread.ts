import { Worker, type Transferable } from 'node:worker_threads';

export interface TaskThreadOptions {
  /** How many tasks may wait for the running one. */
  readonly mostWaiting: number;
  /** Time limit of one task; after it the thread is ended, and the task fails. */
  readonly patienceMs: number;
  /** The thread is ended after this time without a task. */
  readonly idleMs: number;
  /** Heap limit of the thread, for one task and its result. */
  readonly heapMb: number;
  readonly stackMb: number;
  /** Program of the thread: it posts one message in answer to each. */
  readonly program: () => URL;
  /** The errors with which tasks fail. */
  readonly failures: Readonly<Record<'tooMany' | 'tooLong' | 'tooLarge', () => Error>>;
}

/** A task as a message, with the objects in it to transfer to the thread. */
export interface TaskMessage<Task> {
  readonly task: Task;
  readonly transfer?: readonly Transferable[];
}

interface Asked<Task, Answer> {
  readonly message: () => TaskMessage<Task>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A worker thread that runs tasks that take long without yielding, one after the other. It starts with the first task,
 * ends after some idle time, and is started again after a failure; it does not keep the process alive.
 */
export class TaskThread<Task, Answer> {
  readonly #options: TaskThreadOptions;
  readonly #waiting: Asked<Task, Answer>[] = [];
  #worker: Worker | undefined;
  #current: Asked<Task, Answer> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Runs a task; its message is built when its turn comes. Rejects with one of `failures`, or with the error that ended
   * the thread.
   */
  ask(message: () => TaskMessage<Task>): Promise<Answer> {
    if (this.#waiting.length >= this.#options.mostWaiting) return Promise.reject(this.#options.failures.tooMany());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
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
      this.#timer = setTimeout(() => this.#fail(this.#options.failures.tooLong()), this.#options.patienceMs).unref();
      const { task, transfer = [] } = this.#current.message();
      worker.postMessage(task, transfer);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #start(): Worker {
    const { heapMb, stackMb, program, failures } = this.#options;
    const worker = new Worker(program(), { resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: stackMb } });
    const failed = (error: Error): void => {
      if (this.#worker === worker) this.#fail(error);
    };
    worker.on('message', (answer: Answer) => {
      if (this.#worker === worker) this.#answer(answer);
    });
    worker.on('error', (error: Error & { code?: string }) =>
      failed(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? failures.tooLarge() : error),
    );
    worker.on('exit', (code) => failed(new Error(`a thread ended (${code}) before it answered`)));
    return worker;
  }

  #answer(answer: Answer): void {
    const asked = this.#current;
    this.#next();
    asked?.resolve(answer);
  }

  /** Fails the running task; waiting tasks get a new thread. */
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
