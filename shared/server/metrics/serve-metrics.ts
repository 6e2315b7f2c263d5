import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { choosesGzip } from '#shared/endpoints/responders/accept-encoding.ts';
import { PieceReader } from '#shared/endpoints/responders/piece-reader.ts';
import { streamPieces } from '#shared/endpoints/responders/send-pieces.ts';
import { collectFamilies } from '#shared/observability/exposition/collected-family.ts';
import { internalForm, internalType } from '#shared/observability/exposition/internal-form.ts';
import { negotiateForm, type ExpositionForm } from '#shared/observability/exposition/negotiate-form.ts';
import { protobufForm, metricFamilyType } from '#shared/observability/exposition/protobuf-form.ts';
import { ShownFamilies } from '#shared/observability/exposition/shown-families.ts';
import { openMetricsForm, openMetricsType, textForm, textType } from '#shared/observability/exposition/text-form.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { expositionRules } from './exposition-rules.ts';

/** Adds the metrics of other processes to those of one. */
export interface MetricsMerger {
  /** Called before {@link merge}. */
  refresh(): Promise<void>;
  merge(own: readonly Family[]): Steps<Family[]>;
  /** Has the other processes count from zero on. */
  reset(): Promise<void>;
}

type Chunks = readonly Buffer[];

const compress = promisify(gzip);
const atOnceBytes = 1 << 20;
const forms = {
  text: { type: textType, print: textForm },
  openmetrics: { type: openMetricsType, print: openMetricsForm },
  protobuf: { type: metricFamilyType, print: protobufForm },
} as const;

/**
 * Serves families of metrics in the form that is asked for; requests at the same time get the same answer. DELETE has
 * them count from zero on.
 * @param extent whether families of the process, and those about families, are shown, too
 */
export function serveMetrics(
  options: ServerOptions,
  merger: MetricsMerger | undefined,
  families: readonly Family[],
  extent: 'whole' | 'families alone' = 'whole',
): Handler {
  const isWhole = extent === 'whole';
  const shown = new ShownFamilies(expositionRules(options), isWhole);
  // Code that is loaded later adds families to those of the process.
  const present = (): Family[] => shown.of(isWhole ? [...families, ...processRegistry.families()] : families);
  const running = new Map<ExpositionForm, Promise<Chunks>>();
  const startedAt = String(Math.floor(Date.now() / 1000 - process.uptime()));
  const print = async (form: ExpositionForm): Promise<Chunks> => {
    const own = present();
    await Promise.all([merger?.refresh(), refreshAll(own)]);
    return await inSlices(printMerged(own, merger, form));
  };
  const reset = async (): Promise<void> => {
    for (const family of present()) family.reset?.();
    await merger?.reset();
  };
  return async (context) => {
    const { exchange } = context;
    if (exchange.method === 'DELETE') {
      await reset();
      return exchange.send(200, { 'content-type': 'text/plain; charset=utf-8' }, 'metrics reset\n');
    }
    const { accept, 'accept-encoding': encodings } = exchange.headers;
    if (exchange.trust === 'internal' && accept === internalType) {
      const own = present();
      await refreshAll(own);
      const chunks = await inSlices(internalForm(own));
      return await sendChunks(context, { 'content-type': internalType }, chunks, false);
    }
    const form = negotiateForm(accept === undefined ? undefined : String(accept));
    let printed = running.get(form);
    if (printed === undefined) {
      printed = print(form).finally(() => running.delete(form));
      running.set(form, printed);
    }
    const chunks = await printed;
    const headers = { 'content-type': forms[form].type, 'process-start-time-unix': startedAt };
    await sendChunks(context, headers, chunks, choosesGzip(encodings));
  };
}

/** What is large is sent as the client reads it, and in slices: encrypting it all would hold the loop. */
async function sendChunks(
  context: RequestContext,
  headers: OutgoingHeaders,
  chunks: Chunks,
  isCompressed: boolean,
): Promise<void> {
  const { exchange } = context;
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (bytes > atOnceBytes) return streamPieces(context, 200, headers, new PieceReader(chunks), isCompressed);
  if (!isCompressed) return exchange.send(200, headers, chunks);
  const packed = await compress(Buffer.concat(chunks), { level: constants.Z_BEST_SPEED });
  exchange.send(200, { ...headers, 'content-encoding': 'gzip' }, packed);
}

async function refreshAll(families: readonly Family[]): Promise<void> {
  const refreshes = new Set(families.flatMap(({ refresh }) => refresh ?? []));
  await Promise.all([...refreshes].map((refresh) => refresh()));
}

function* printMerged(own: readonly Family[], merger: MetricsMerger | undefined, form: ExpositionForm): Steps<Chunks> {
  const all = merger === undefined ? own : yield* merger.merge(own);
  return yield* forms[form].print(yield* collectFamilies(all));
}
