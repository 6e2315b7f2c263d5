import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Side } from '#test/compare/pair.ts';
import { create, createSome, errorCounts, policyFor, type Place, type SinkCase } from './sink-case.ts';

interface WrittenEvent {
  readonly verb: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly annotations?: Readonly<Record<string, string>>;
}

const mib = 1024 * 1024;

function logOf({ folder }: Place): string {
  return join(folder, 'logs', 'audit.log');
}

function linesOf(path: string): string[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text.split('\n').slice(0, -1);
}

function eventsOf(place: Place): WrittenEvent[] {
  return linesOf(logOf(place)).map((line) => JSON.parse(line) as WrittenEvent);
}

/** Full files and the present one, with their events, but without their times. */
function filesOf(place: Place): string[] {
  const folder = join(place.folder, 'logs');
  return readdirSync(folder)
    .filter((name) => name.startsWith('audit'))
    .map((name) => {
      const path = join(folder, name);
      const isWithin = statSync(path).size <= mib;
      return `${name.replaceAll(/\d/g, '0')}: ${linesOf(path).length} events${isWithin ? '' : ', too large'}`;
    })
    .toSorted();
}

async function untilCompressed({ folder }: Place): Promise<void> {
  const isFull = (name: string): boolean => name.startsWith('audit-') && !name.endsWith('.gz');
  for (let tries = 0; tries < 100 && readdirSync(join(folder, 'logs')).some(isFull); tries++) await sleep(200);
}

/** Without ids and times. */
function legacyLines(place: Place): string[] {
  return linesOf(logOf(place)).map((line) =>
    line.replace(/^\S+ AUDIT/, 'TIME AUDIT').replace(/id="[0-9a-f-]{36}"/, 'id="ID"'),
  );
}

function truncations(place: Place): string[] {
  return eventsOf(place).map(({ verb, requestURI, requestObject, responseObject, annotations = {} }) =>
    [
      verb,
      requestURI,
      requestObject === undefined ? 'no request' : 'request',
      responseObject === undefined ? 'no response' : 'response',
      annotations['audit.k8s.io/truncated'],
    ].join(' '),
  );
}

async function actForLegacy(side: Side): Promise<number[]> {
  const codes = [await create(side, 'a')];
  const path = '/api/v1/namespaces/default/configmaps';
  for (const [method, target] of [
    ['GET', `${path}/a`],
    ['GET', `${path}/missing`],
    ['GET', `${path}?labelSelector=a%3D"b"`],
    ['DELETE', `${path}/a`],
  ] as const)
    codes.push((await side.json.call(method, target)).status);
  return codes;
}

/** What is too large: nothing, one object, the path of a request. */
async function actForTruncation(side: Side): Promise<unknown> {
  const codes = [await create(side, 'small'), await create(side, 'large', 5000)];
  const long = `/api/v1/namespaces/default/configmaps?labelSelector=${'a'.repeat(5000)}`;
  codes.push((await side.json.call('GET', long)).status);
  return [codes, await errorCounts(side)];
}

const logged =
  (...flags: readonly string[]) =>
  (place: Place): string[] => [`--audit-log-path=${logOf(place)}`, ...flags];

export const fileCases: readonly SinkCase[] = [
  {
    name: 'rotation by size, compressed, as many as are kept',
    policy: policyFor('RequestResponse'),
    flags: logged('--audit-log-maxsize=1', '--audit-log-maxbackup=2', '--audit-log-compress'),
    async act(side, place) {
      const codes = await createSome(side, 12, 150_000);
      await untilCompressed(place);
      return codes;
    },
    written: filesOf,
  },
  {
    name: 'events that are larger than a file',
    policy: policyFor('RequestResponse'),
    flags: logged('--audit-log-maxsize=1'),
    act: (side) => createSome(side, 2, 600_000),
    written: filesOf,
  },
  {
    name: 'legacy format',
    policy: policyFor('Metadata', { omitStages: [] }),
    flags: logged('--audit-log-format=legacy'),
    act: actForLegacy,
    written: legacyLines,
  },
  {
    name: 'batch mode of the file, ended at once',
    policy: policyFor('Metadata'),
    flags: logged('--audit-log-mode=batch'),
    act: (side) => createSome(side, 50),
    written: (place) => eventsOf(place).map(({ verb, stage }) => `${verb} ${stage}`),
  },
  {
    name: 'truncation',
    policy: policyFor('RequestResponse'),
    flags: logged(
      '--audit-log-truncate-enabled',
      '--audit-log-truncate-max-event-size=3000',
      '--audit-log-truncate-max-batch-size=3000',
    ),
    act: actForTruncation,
    written: truncations,
  },
  {
    name: 'device that is full',
    policy: policyFor('Metadata'),
    flags: () => ['--audit-log-path=/dev/full', '--audit-log-maxsize=0'],
    act: async (side) => [await createSome(side, 3), await errorCounts(side)],
  },
  {
    name: 'backend without a policy',
    policy: policyFor('Metadata'),
    flags: (place) => ['--audit-policy-file=', ...logged()(place)],
    act: (side) => createSome(side, 1),
    written: (place) => existsSync(logOf(place)) && linesOf(logOf(place)),
  },
];
