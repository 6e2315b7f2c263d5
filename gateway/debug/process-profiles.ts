import { dirname, join } from 'node:path';
import { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { internalFetch } from '#gateway/proxy/internal-request.ts';
import type { DebugPages, DebugRequest, PageAnswer } from '#shared/observability/profiles/debug-page.ts';
import { maxSeconds, profilesPath } from '#shared/observability/profiles/profile-pages.ts';
import { askDebugSocket } from '#shared/process/debug/ask-debug-socket.ts';
import { debugSocketOf } from '#shared/process/debug/debug-socket.ts';
import { parseBackendAddress } from '#shared/server/options/backend-address.ts';

/** A profile takes as long as it was asked to; then it has to be encoded. */
const patienceMs = (maxSeconds + 30) * 1000;

export interface ProcessProfileOptions {
  /** This process's own pages. */
  readonly own: DebugPages;
  /** The servers behind the gateway. */
  readonly pools: readonly BackendPool[];
  /** The internal socket of this gateway; those of the other processes of its data directory lie beside it. */
  readonly socket: string;
}

/**
 * Profiles of any process, by `?process=`: `core`, `core/2`, `extensions`, `store`, `launcher`, `gateway/2`. Those on
 * this machine are asked by their debugging sockets, backends elsewhere as every backend is.
 */
export function processProfiles({ own, pools, socket }: ProcessProfileOptions): DebugPages {
  return async (request) => {
    const name = request.query.get('process') ?? '';
    if (name === '' || !request.path.startsWith(profilesPath)) return await own(request);
    const [, kind = '', number = '1'] = /^(core|extensions|store|launcher|gateway)(?:\/([1-9]\d?))?$/.exec(name) ?? [];
    const pool = pools.find((each) => each.name === kind);
    const backend = pool?.backends[Number(number) - 1];
    if (pool !== undefined && backend === undefined) return noProcess(name);
    const address = backend && parseBackendAddress(backend.address);
    if (backend !== undefined && address?.kind === 'tcp')
      return await askBackend(new BackendPool(backend.address, [backend]), request);
    if (kind === '') return noProcess(name);
    const file = number === '1' ? kind : `${kind}-${number}`;
    const path = address?.kind === 'unix' ? address.path : join(dirname(socket), `${file}.sock`);
    return await askDebugSocket(debugSocketOf(path), targetOf(request), request.signal).catch(() => noProcess(name));
  };
}

async function askBackend(pool: BackendPool, request: DebugRequest): Promise<PageAnswer> {
  const { status, headers, body } = await internalFetch(pool, targetOf(request), { accept: '*/*', patienceMs });
  return { status, headers: { 'content-type': String(headers['content-type']) }, body };
}

function targetOf({ path, query }: DebugRequest): string {
  const given = ['seconds', 'form'].flatMap((name) => {
    const value = query.get(name);
    return typeof value === 'string' ? [`${name}=${encodeURIComponent(value)}`] : [];
  });
  return `${path}?${given.join('&')}`;
}

function noProcess(name: string): PageAnswer {
  const names = 'core, extensions, store, launcher and gateway, and with a number from 1, such as core/2';
  const body = `there is no process ${JSON.stringify(name)} that can be asked; there are ${names}\n`;
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
