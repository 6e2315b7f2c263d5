import type { FlowObserver } from '#shared/flowcontrol/levels/level-observer.ts';
import { nsPerSeat, seatsTimesNs } from '#shared/flowcontrol/work/seat-seconds.ts';
import type { WorkEstimate } from '#shared/flowcontrol/work/work-estimate.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { ObjectStats, ObjectStatsTable } from './object-stats.ts';
import type { WatchCounts } from './watch-counts.ts';

const maxMutatingSeats = 10;
const maxListSeatsByCount = 10;
const maxListSeatsBySize = 100;
const objectsPerSeat = 100;
const bytesPerSeat = 100_000;
/** A list from a cache holds no more in memory at once. */
const mostBytesFromCache = 1_000_000;
const largestObjectBytes = 1_500_000;
const watchesPerSeat = 10;
const eventNs = 5_000_000;

export interface EstimateSources {
  readonly objects: Pick<ObjectStatsTable, 'of'>;
  readonly watches: Pick<WatchCounts, 'interestedIn'>;
  /** `WatchList`: watches may begin with the objects of a list. */
  readonly watchesSendObjects: boolean;
  /** `SizeBasedListCostEstimate` */
  readonly bySize: boolean;
}

const oneSeat: WorkEstimate = { initialSeats: 1, finalSeats: 0, additionalLatencyNs: 0 };

/**
 * The seats of a request. @param maxSeats of the priority level, for one request; 0 for no such bound
 * (apiserver/pkg/util/flowcontrol/request/width.go and its neighbours)
 */
export function estimateWork(
  info: RequestInfo,
  maxSeats: number,
  sources: EstimateSources,
  observer?: Pick<FlowObserver, 'watched'>,
): WorkEstimate {
  switch (info.verb) {
    case 'list':
      return listWork(info, maxSeats, sources);
    case 'watch':
      return sources.watchesSendObjects ? listWork(info, maxSeats, sources) : oneSeat;
    case 'create':
    case 'update':
    case 'patch':
    case 'delete':
      return writeWork(info, bounded(maxSeats, maxMutatingSeats), sources, observer);
    default:
      return oneSeat;
  }
}

/** After a write, its event goes to the watches: so many seats for a short time, or fewer of them for longer. */
function writeWork(
  info: RequestInfo,
  maxSeats: number,
  { watches }: EstimateSources,
  observer: Pick<FlowObserver, 'watched'> | undefined,
): WorkEstimate {
  if (info.resource === 'serviceaccounts' && info.subresource === 'token') return oneSeat;
  const watchCount = watches.interestedIn(info);
  observer?.watched(watchCount);
  if (watchCount < watchesPerSeat) return oneSeat;
  const wanted = Math.ceil(watchCount / watchesPerSeat);
  const finalSeats = Math.min(wanted, maxSeats);
  return { initialSeats: 1, finalSeats, additionalLatencyNs: nsPerSeat(seatsTimesNs(wanted, eventNs), finalSeats) };
}

function listWork(info: RequestInfo, maxSeats: number, { objects, bySize }: EstimateSources): WorkEstimate {
  const most = bounded(maxSeats, bySize ? maxListSeatsBySize : maxListSeatsByCount);
  const limit = limitOf(info);
  if (limit === undefined) return { ...oneSeat, initialSeats: most };
  if (info.verb === 'watch' && !beginsWithObjects(info)) return oneSeat;
  const stats = objects.of(info.apiGroup, info.resource);
  if (stats === undefined) return oneSeat;
  const list = { stats, limit, fromCache: isFromCache(info, limit), single: info.name !== '', selects: selects(info) };
  const seats = bySize ? seatsBySize(list) : seatsByCount(list);
  return { ...oneSeat, initialSeats: Math.min(Math.max(seats, 1), most) };
}

interface ListShape {
  readonly stats: ObjectStats;
  /** 0 for none */
  readonly limit: number;
  readonly fromCache: boolean;
  readonly single: boolean;
  readonly selects: boolean;
}

function seatsByCount({ stats, limit, fromCache, single, selects: hasSelector }: ListShape): number {
  const page = limit > 0 ? Math.min(limit, stats.count) : stats.count;
  const fromStorage = hasSelector ? stats.count + page : 2 * page;
  const processed = single ? 1 : fromCache ? stats.count : fromStorage;
  return Math.ceil(processed / objectsPerSeat);
}

function seatsBySize({ stats, limit, fromCache, single, selects: hasSelector }: ListShape): number {
  const averageBytes = stats.averageBytes <= 0 && stats.count !== 0 ? largestObjectBytes : stats.averageBytes;
  const page = limit > 0 ? Math.min(limit, stats.count) : stats.count;
  const fromStorage = hasSelector ? Math.max(page, Math.trunc(stats.count / 2)) : page;
  const objects = single ? 1 : fromCache ? page : fromStorage;
  const bytes = objects * averageBytes;
  return Math.ceil((fromCache ? Math.min(bytes, mostBytesFromCache) : bytes) / bytesPerSeat);
}

function selects({ query }: RequestInfo): boolean {
  return first(query, 'fieldSelector') !== '' || first(query, 'labelSelector') !== '';
}

/** Lists at an exact revision and the pages behind the first come from storage in the reference. */
function isFromCache({ verb, query }: RequestInfo, limit: number): boolean {
  if (verb === 'watch') return true;
  const match = first(query, 'resourceVersionMatch');
  if (match !== '') return match === 'NotOlderThan';
  if (first(query, 'continue') !== '') return false;
  const version = first(query, 'resourceVersion');
  return !(limit > 0 && version !== '' && version !== '0');
}

/** Whether a watch sends the present objects first. */
export function beginsWithObjects({ query }: RequestInfo): boolean {
  const asked = first(query, 'sendInitialEvents');
  if (asked !== '' && asked !== 'false' && asked !== '0') return true;
  const version = first(query, 'resourceVersion');
  return version === '' || version === '0';
}

/** Undefined for a value that is refused later. */
function limitOf({ query }: RequestInfo): number | undefined {
  const text = first(query, 'limit');
  if (text === '') return 0;
  return /^[+-]?\d{1,19}$/.test(text) ? Number(text) : undefined;
}

function bounded(maxSeats: number, limit: number): number {
  return maxSeats === 0 ? limit : Math.min(maxSeats, limit);
}

function first(query: RequestInfo['query'], name: string): string {
  return query.get(name) ?? '';
}
