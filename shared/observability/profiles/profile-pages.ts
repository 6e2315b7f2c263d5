import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { cpuToPprof, delaysToPprof } from './cpu-pprof.ts';
import type { DebugPages, DebugRequest, PageAnswer } from './debug-page.ts';
import { heapToPprof } from './heap-pprof.ts';
import type { PprofBuilder } from './pprof-builder.ts';
import { ProfileRunsError, recordCpu, recordHeap, type CpuProfile, type HeapProfile } from './record-profiles.ts';

export interface ProfileOptions {
  /** `--contention-profiling`. */
  readonly tellsDelays: boolean;
}

export const profilesPath = '/debug/pprof/';
export const maxSeconds = 300;
const text = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

interface Kind {
  readonly title: string;
  /** Without `seconds`. */
  readonly seconds: number;
  /** Of the file in V8's own form, for the developer tools of browsers. */
  readonly extension: 'cpuprofile' | 'heapprofile';
  record(seconds: number, signal: AbortSignal): Promise<Recorded>;
}

interface Recorded {
  readonly profile: CpuProfile | HeapProfile;
  readonly toPprof: () => Promise<PprofBuilder>;
}

const cpu = (title: string, convert: typeof cpuToPprof): Kind => ({
  title,
  seconds: 30,
  extension: 'cpuprofile',
  async record(seconds, signal) {
    const profile = await recordCpu(seconds, signal);
    return { profile, toPprof: () => inSlices(convert(profile)) };
  },
});

const heap = (title: string, of: 'inuse' | 'alloc'): Kind => ({
  title,
  seconds: 10,
  extension: 'heapprofile',
  async record(seconds, signal) {
    const profile = await recordHeap(seconds, of === 'alloc', signal);
    return { profile, toPprof: () => inSlices(heapToPprof(profile, { of, seconds })) };
  },
});

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['profile', cpu('where the time goes', cpuToPprof)],
  ['heap', heap('what is allocated meanwhile and still in use', 'inuse')],
  ['allocs', heap('all that is allocated meanwhile', 'alloc')],
]);
const delays: readonly [string, Kind] = ['block', cpu('what holds the event loop for more than 10 ms', delaysToPprof)];

/**
 * The pages below `/debug/pprof/` of this process: profiles in the form of pprof, or in that of V8 with `form=v8`.
 * `seconds` says for how long, from now.
 */
export function profilePages({ tellsDelays }: ProfileOptions): DebugPages {
  const all = tellsDelays ? new Map([...kinds, delays]) : kinds;
  return async (request) => {
    if (!request.path.startsWith(profilesPath)) return undefined;
    const name = request.path.slice(profilesPath.length);
    if (name === '') return indexPage(all);
    if (name === 'symbol') return { status: 200, headers: text, body: allNamed };
    const kind = all.get(name);
    if (kind === undefined) return refusal(404, 'Unknown profile');
    const seconds = Number(request.query.get('seconds') ?? kind.seconds);
    if (!(seconds > 0 && seconds <= maxSeconds))
      return refusal(400, `seconds must be more than 0, and at most ${maxSeconds}`);
    try {
      return await recorded(request, name, kind, seconds);
    } catch (error) {
      if (error instanceof ProfileRunsError) return refusal(500, `Could not enable profiling: ${error.message}`);
      throw error;
    }
  };
}

/** For the pprof tool, which asks whether it can look up addresses: profiles hold all names. */
const allNamed = 'num_symbols: 1\n';

async function recorded(
  { query, signal }: DebugRequest,
  name: string,
  kind: Kind,
  seconds: number,
): Promise<PageAnswer> {
  const { profile, toPprof } = await kind.record(seconds, signal);
  const isV8 = query.get('form') === 'v8';
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${isV8 ? `${name}.${kind.extension}` : name}"`,
      'x-content-type-options': 'nosniff',
    },
    body: isV8 ? JSON.stringify(profile) : await (await toPprof()).encode(),
  };
}

function refusal(status: number, message: string): PageAnswer {
  return { status, headers: { ...text, 'x-go-pprof': '1' }, body: `${message}\n` };
}

function indexPage(all: ReadonlyMap<string, Kind>): PageAnswer {
  const rows = [...all].map(
    ([name, { title, seconds }]) =>
      `<tr><td><a href="${name}?seconds=${seconds}">${name}</a></td><td>${title}</td></tr>\n`,
  );
  const hint = '<p>form=v8 gives the form of browsers, process=core/2 the profile of another process.</p>\n';
  const body = `<html>\n<head>\n<title>/debug/pprof/</title>\n</head>\n<body>\n<table>\n${rows.join('')}</table>\n${hint}</body>\n</html>\n`;
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body,
  };
}
