import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { sendComponentPage, type ComponentPage } from './component-pages.ts';
import { effectiveVersion } from './options/effective-version.ts';
import { featureGates, servesCbor } from './options/feature-gates.ts';
import { flagKey } from './options/flag-set.ts';
import { completedFlagValues } from './options/flag-values.ts';
import { isWithoutEffect } from './options/flags-without-effect.ts';
import type { ServerOptions } from './options/server-options.ts';
import { versionInfo } from './options/version-info.ts';
import { versionForClients } from './options/version-kind.ts';
import type { PathMux } from './path-mux.ts';

/** First segments of the paths that belong to the API itself. */
const ofApi: ReadonlySet<string> = new Set(['apis', 'api', 'openid', 'openapi', '.well-known']);

function sendFlags(context: RequestContext, options: ServerOptions, withCbor: boolean): void {
  const flags = completedFlagValues(options);
  const lines = Object.entries(flags).map(([name, value]) => flagLine(name, value));
  sendComponentPage(context, { kind: 'Flagz', content: { flags }, lines }, withCbor);
}

/** Flags that change nothing yet are marked. */
function flagLine(name: string, value: string): string {
  return `${name}: ${value}${isWithoutEffect(flagKey(name)) ? ' (without effect)' : ''}`;
}

/** `/statusz` and `/flagz` (KEP-4827, KEP-4828). */
export function installDebugPages(mux: PathMux, options: ServerOptions): void {
  const started = { atMs: Date.now(), monotonicMs: performance.now() };
  const { gates } = featureGates(options);
  const withCbor = servesCbor(options);
  if (gates.isEnabled('ComponentStatusz')) {
    mux.handle('/statusz', async (context) =>
      sendComponentPage(context, statusPage(options, started, topFolders(await mux.paths())), withCbor),
    );
  }
  if (gates.isEnabled('ComponentFlagz')) mux.handle('/flagz', (context) => sendFlags(context, options, withCbor));
}

function statusPage(
  options: ServerOptions,
  started: { readonly atMs: number; readonly monotonicMs: number },
  paths: string[],
): ComponentPage {
  const uptimeSeconds = Math.floor((performance.now() - started.monotonicMs) / 1000);
  const { goVersion } = versionInfo;
  const binaryVersion = versionForClients(options.version).slice(1);
  const emulationVersion = effectiveVersion(options).emulation;
  return {
    kind: 'Statusz',
    content: { startTime: timeFromMs(started.atMs), uptimeSeconds, goVersion, binaryVersion, emulationVersion, paths },
    lines: [
      '',
      `Started: ${unixDate(started.atMs)}`,
      `Up: ${uptimeText(uptimeSeconds)}`,
      `Go version: ${goVersion}`,
      `Binary version: ${binaryVersion}`,
      `Emulation version: ${emulationVersion}`,
      `Paths: ${paths.join(' ')}`,
    ],
  };
}

/** First segments of the served paths, without those of the API. */
function topFolders(paths: readonly string[]): string[] {
  const folders = new Set(paths.map((path) => path.split('/')[1] ?? ''));
  return [...folders]
    .filter((folder) => folder !== '' && !ofApi.has(folder))
    .map((folder) => `/${folder}`)
    .toSorted();
}

/** `Sat Nov 21 14:33:28 UTC 2026`. */
function unixDate(timeMs: number): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(timeMs).toUTCString().split(/,? /);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`;
}

function uptimeText(seconds: number): string {
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} hr ${twoDigits(Math.floor(seconds / 60) % 60)} min ${twoDigits(seconds % 60)} sec`;
}
