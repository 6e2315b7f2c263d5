import { seatsTimesNs } from '#shared/flowcontrol/work/seat-seconds.ts';
import { estimatedServiceNs, FairRequest, type Arrival, type FairQueue } from './fair-request.ts';
import { nextQueue } from './next-queue.ts';
import { ProgressMeter } from './progress-meter.ts';
import { QueueHands } from './queue-hands.ts';
import type {
  QueueSetClock,
  QueueSetObserver,
  QueueSetParts,
  QueueingConfig,
  RejectReason,
} from './queue-set-options.ts';
import { newTotals } from './queue-set-totals.ts';
import { Queue } from './queue.ts';

/**
 * The seats of one priority level and the queues before them: fair queuing for server requests, as KEP-1040 describes
 * and apiserver/pkg/util/flowcontrol/fairqueuing/queueset does it. A request that arrives joins the shortest of the
 * queues of its flow. Seats go to the queue whose oldest request would be the first to end if all queues with requests
 * had equally many seats all the time. How far they are in that virtual world is measured in seat-seconds, `R`.
 */
export class QueueSet {
  readonly name: string;
  readonly totals = newTotals();
  readonly #clock: QueueSetClock;
  readonly #observer: QueueSetObserver;
  readonly #demand: QueueSetParts['demand'];
  readonly #hands = new QueueHands();
  readonly #executingWithoutQueue = new Set<FairRequest>();
  readonly #waitingQueues = new Set<FairQueue>();
  #queueing: QueueingConfig;
  #concurrencyLimit = 0;
  #queues: FairQueue[] = [];
  readonly #meter: ProgressMeter;
  /** The queue of the last dispatch: among equals, the next behind it comes first. */
  #robinIndex = 0;
  #begun: FairRequest[] = [];

  constructor(name: string, { clock, observer, demand }: QueueSetParts, queueing: QueueingConfig) {
    this.name = name;
    this.#demand = demand;
    this.#clock = clock;
    this.#observer = observer;
    this.#queueing = queueing;
    this.#meter = new ProgressMeter(clock.nowNs());
  }

  get queues(): readonly FairQueue[] {
    return this.#queues;
  }

  get executingWithoutQueue(): ReadonlySet<FairRequest> {
    return this.#executingWithoutQueue;
  }

  /** For metrics. */
  get progress(): Readonly<ProgressMeter> {
    return this.#meter;
  }

  get isIdle(): boolean {
    return this.totals.requestsWaiting === 0 && this.totals.requestsExecuting === 0;
  }

  /** Queues too many go as they become empty. */
  configure(queueing: QueueingConfig, concurrencyLimit: number): void {
    this.#syncTime();
    this.#queueing = queueing;
    this.#concurrencyLimit = concurrencyLimit;
    while (this.#queues.length < queueing.queues) this.#queues.push(new Queue<FairRequest>(this.#queues.length));
    this.#hands.configure(queueing);
    this.#dispatchAll();
    this.#runBegun();
  }

  /** Undefined if the request is rejected. It runs at once if its state is then `executing`. */
  start(arrival: Arrival): FairRequest | undefined {
    this.#syncTime();
    return this.#queueing.queues < 1 ? this.#startWithoutQueue(arrival) : this.#enqueue(arrival);
  }

  /** Takes a request that waited too long, or whose client has gone, out of its queue. */
  cancel(request: FairRequest, reason: 'time-out' | 'cancelled'): void {
    const { queue } = request;
    if (request.state !== 'waiting' || queue === undefined) return;
    this.#syncTime();
    request.state = 'ended';
    this.#leaveQueue(request, queue);
    queue.bound();
    this.totals.cancelled++;
    if (reason === 'time-out') this.totals.timedOut++;
    this.#reject(request.arrival, 'time-out');
    this.#tellDemand();
  }

  /** The request has ended. Its seats go to others now, or after its additional latency. */
  finish(request: FairRequest): void {
    if (request.state === 'suspended') request.state = 'ended';
    if (request.state !== 'executing') return;
    this.#syncTime();
    request.state = 'ended';
    this.#endExecution(request);
    if (request.estimate.additionalLatencyNs <= 0) this.#releaseSeats(request);
    else this.#clock.after(request.estimate.additionalLatencyNs, () => this.#endLinger(request));
    this.#dispatchAll();
    this.#runBegun();
  }

  /** A request that has begun waits for its client: its seats go to others meanwhile. */
  suspend(request: FairRequest): void {
    if (request.state !== 'executing') return;
    this.#syncTime();
    request.state = 'suspended';
    this.#endExecution(request);
    this.#releaseSeats(request);
    this.#dispatchAll();
    this.#runBegun();
  }

  /** Goes on with a suspended request, also if all seats are taken: its turn has come before. */
  resume(request: FairRequest): void {
    if (request.state !== 'suspended') return;
    this.#syncTime();
    const { queue } = request;
    if (queue === undefined) this.#executingWithoutQueue.add(request);
    else this.#chargeQueue(request, queue);
    this.#beginExecution(request);
  }

  #startWithoutQueue(arrival: Arrival): FairRequest | undefined {
    const request = new FairRequest(arrival, undefined, this.#clock.latestNs, this.#meter.reading);
    if (!this.#hasRoomFor(request.seats)) return this.#reject(arrival, 'concurrency-limit');
    this.#executingWithoutQueue.add(request);
    this.#beginExecution(request);
    this.#countDispatch(request);
    return request;
  }

  #enqueue(arrival: Arrival): FairRequest | undefined {
    const queue = this.#hands.shortest(arrival, this.#queues);
    const isFull = queue.waiting.size >= this.#queueing.queueLengthLimit;
    if (isFull && this.totals.seatsInUse >= this.#concurrencyLimit) {
      queue.bound();
      return this.#reject(arrival, 'queue-full');
    }
    const request = new FairRequest(arrival, queue, this.#clock.latestNs, this.#meter.reading);
    this.#joinQueue(request, queue);
    this.#observer.queued(arrival.flowSchema, queue.waiting.size);
    queue.bound();
    this.#dispatchAll();
    // Requests of other queues may have begun before it.
    this.#begun = this.#begun.filter((begun) => begun !== request);
    this.#runBegun();
    return request;
  }

  #joinQueue(request: FairRequest, queue: FairQueue): void {
    if (!queue.isActive) {
      queue.nextDispatchR = this.#meter.reading;
      this.#meter.activeQueues++;
    }
    queue.add(request);
    this.#waitingQueues.add(queue);
    this.#meter.seatsWanted += request.seats;
    this.totals.requestsWaiting++;
    this.totals.seatsWaiting += request.seats;
    this.#observer.waiting(request.arrival.flowSchema, 1, request.seats);
    this.#tellDemand();
  }

  #leaveQueue(request: FairRequest, queue: FairQueue): void {
    queue.remove(request);
    if (queue.waiting.size === 0) this.#waitingQueues.delete(queue);
    if (!queue.isActive) this.#meter.activeQueues--;
    this.#meter.seatsWanted -= request.seats;
    this.totals.requestsWaiting--;
    this.totals.seatsWaiting -= request.seats;
    this.#observer.waiting(request.arrival.flowSchema, -1, -request.seats);
  }

  #reject(arrival: Arrival, reason: RejectReason): undefined {
    this.totals.rejected++;
    this.#observer.rejected(arrival.flowSchema, reason);
  }

  #dispatchAll(): void {
    const { totals } = this;
    while (totals.requestsWaiting > 0 && totals.seatsInUse < this.#concurrencyLimit && this.#dispatchOne());
  }

  /** False if the request that is next has to wait for seats: others with fewer seats do not overtake it. */
  #dispatchOne(): boolean {
    const { queue, starts, discounted } = nextQueue(this.#waitingQueues, this.#robinIndex, this.#queues.length);
    const request = queue.oldest as FairRequest;
    if (!this.#hasRoomFor(request.seats)) {
      this.#observer.dispatchWithoutRoom(request.arrival.flowSchema);
      return false;
    }
    this.#robinIndex = queue.index;
    this.#leaveQueue(request, queue);
    request.fitFinalSeats(this.#concurrencyLimit);
    this.#meter.atDispatch = { reading: this.#meter.reading, start: queue.nextDispatchR, starts, discounted };
    this.#chargeQueue(request, queue);
    this.#beginExecution(request);
    queue.bound();
    this.#countDispatch(request);
    this.#begun.push(request);
    return true;
  }

  /** The queue gets the seats of the request, and pays for the work that is expected of it. */
  #chargeQueue(request: FairRequest, queue: FairQueue): void {
    if (!queue.isActive) this.#meter.activeQueues++;
    queue.executing.add(request);
    queue.seatsInUse += request.seats;
    this.#meter.seatsWanted += request.seats;
    queue.nextDispatchR += request.totalWork;
  }

  /** A request with more seats than the level has runs alone. */
  #hasRoomFor(seats: number): boolean {
    if (this.#queueing.queues < 0) return true;
    if (seats > this.#concurrencyLimit) return this.totals.requestsExecuting === 0;
    return this.totals.seatsInUse + seats <= this.#concurrencyLimit;
  }

  #beginExecution(request: FairRequest): void {
    request.state = 'executing';
    request.startedAtNs = this.#clock.latestNs;
    this.totals.requestsExecuting++;
    this.totals.seatsInUse += request.seats;
    this.#observer.executing(request.arrival.flowSchema, 1);
    this.#observer.seatsInUse(request.arrival.flowSchema, request.seats);
    this.#tellDemand();
  }

  #countDispatch({ arrival }: FairRequest): void {
    this.totals.dispatched++;
    this.#observer.dispatched(arrival.flowSchema);
  }

  #endExecution(request: FairRequest): void {
    const { queue } = request;
    this.totals.requestsExecuting--;
    this.#observer.executing(request.arrival.flowSchema, -1);
    if (queue === undefined) return void this.#executingWithoutQueue.delete(request);
    queue.executing.delete(request);
    if (!queue.isActive) this.#meter.activeQueues--;
    const actualNs = this.#clock.latestNs - request.startedAtNs;
    queue.nextDispatchR -= seatsTimesNs(request.estimate.initialSeats, estimatedServiceNs - actualNs);
    queue.bound();
  }

  #endLinger(request: FairRequest): void {
    this.#syncTime();
    this.#releaseSeats(request);
    this.#dispatchAll();
    this.#runBegun();
  }

  #releaseSeats(request: FairRequest): void {
    const { queue, seats } = request;
    this.totals.seatsInUse -= seats;
    this.#observer.seatsInUse(request.arrival.flowSchema, -seats);
    this.#tellDemand();
    if (queue === undefined) return;
    queue.seatsInUse -= seats;
    this.#meter.seatsWanted -= seats;
    const isExcess = this.#queues.length > this.#queueing.queues && this.#queues[queue.index] === queue;
    if (isExcess && !queue.isActive) this.#removeQueue(queue.index);
  }

  #removeQueue(index: number): void {
    this.#queues.splice(index, 1);
    for (let i = index; i < this.#queues.length; i++) (this.#queues[i] as FairQueue).index = i;
    if (this.#robinIndex >= index) this.#robinIndex--;
  }

  #syncTime(): void {
    this.#meter.sync(this.#clock.nowNs(), this.#concurrencyLimit, this.#queues);
  }

  #tellDemand(): void {
    const seats = this.totals.seatsInUse + this.totals.seatsWaiting;
    this.#demand?.set(seats);
    this.#observer.seatDemand(seats);
  }

  /** Last, since what a request does at once may call into this set again. */
  #runBegun(): void {
    if (this.#begun.length === 0) return;
    const begun = this.#begun;
    this.#begun = [];
    for (const request of begun) request.arrival.onExecute();
  }
}
