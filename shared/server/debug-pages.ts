import { Session } from 'node:inspector/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { newBadRequest, newNotAcceptable } from '../apimachinery/status.ts';
import { timeFromMs } from '../apimachinery/time.ts';
import type { RequestContext } from '../request/request-context.ts';
import { parseAccept } from '../serializer/accept.ts';
import { effectiveVersion } from './options/effective-version.ts';
import { flagValues } from './options/flag-values.ts';
import type { ServerOptions } from './options/server-options.ts';
import type { PathMux } from './path-mux.ts';
import { versionInfo } from './version.ts';

const component = 'kube-apiserver';
const warning = 'Warning: for people who look for a fault; the form of this page may change at any time.';
const group = 'config.k8s.io';
const versions: readonly string[] = ['v1beta1', 'v1alpha1'];
/** Roots of paths that are the API itself. */
const ofApi: ReadonlySet<string> = new Set(['apis', 'api', 'openid', 'openapi', '.well-known']);
const maxProfileSeconds = 300;

/** `/statusz`, `/flagz` (KEP-4827, KEP-4828) and `/debug/pprof/`. */
export function installDebugPages(mux: PathMux, options: ServerOptions): void {
  const startedAtMs = Date.now();
  mux.handle('/statusz', async (context) => {
    const paths = (await mux.paths()).filter((path) => !ofApi.has(path.split('/')[1] ?? ''));
    const startTime = timeFromMs(startedAtMs);
    const uptimeSeconds = Math.floor((Date.now() - startedAtMs) / 1000);
    const { goVersion, gitVersion: binaryVersion } = versionInfo;
    const emulationVersion = effectiveVersion(options).emulation;
    sendPage(context, 'Statusz', { startTime, uptimeSeconds, goVersion, binaryVersion, emulationVersion, paths }, [
      `Started: ${startTime}`, `Up: ${uptimeSeconds} s`, `Runtime version: ${goVersion}`, `Binary version: ${binaryVersion}`,
      `Emulation version: ${emulationVersion}`, `Paths: ${paths.join(' ')}`,
    ]);
  });
  mux.handle('/flagz', (context) => {
    const flags = flagValues(options);
    sendPage(context, 'Flagz', { flags }, Object.entries(flags).map(([name, value]) => `${name}: ${value}`));
  });
  if (!options.profiling) return;
  mux.handle('/debug/pprof/', ({ exchange }) => {
    exchange.send(200, { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' }, '<a href="profile?seconds=30">profile</a>: where the time goes, for the developer tools of browsers\n');
  }, 'unlisted');
  mux.handle('/debug/pprof/profile', sendProfile, 'unlisted');
}

function sendPage(context: RequestContext, kind: string, content: object, lines: readonly string[]): void {
  const form = formOf(context, kind);
  if (form === 'text') {
    context.exchange.send(200, { 'content-type': 'text/plain; charset=utf-8' }, `\n${component} ${kind.toLowerCase()}\n${warning}\n\n${lines.join('\n')}\n`);
    return;
  }
  context.exchange.send(200, { 'content-type': 'application/json' }, JSON.stringify({ kind, apiVersion: `${group}/${form}`, metadata: { name: component }, ...content }));
}

/** `text`, or the version of the structured form that the client names. */
function formOf({ exchange }: RequestContext, kind: string): string {
  for (const { type, subtype, params } of parseAccept(String(exchange.headers['accept'] || 'text/plain'))) {
    const version = params.get('v') ?? '';
    if (type === 'application' && subtype === 'json' && params.get('g') === group && params.get('as') === kind && versions.includes(version)) return version;
    if ((type === 'text' && (subtype === 'plain' || subtype === '*')) || type === '*') return 'text';
  }
  throw newNotAcceptable(['application/json', 'text/plain']);
}

/** A CPU profile of this process, in the form of V8. */
async function sendProfile({ exchange, info }: RequestContext): Promise<void> {
  const seconds = Number(info.query.get('seconds') ?? 30);
  if (!(seconds > 0 && seconds <= maxProfileSeconds)) throw newBadRequest(`seconds must be between 0 and ${maxProfileSeconds}`);
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await pause(seconds * 1000);
    const { profile } = await session.post('Profiler.stop');
    exchange.send(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="profile.cpuprofile"' }, JSON.stringify(profile));
  } finally {
    session.disconnect();
  }
}
