import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import { maxSeries, type Count } from '#shared/observability/metrics/counter.ts';
import type { Family, Labels } from '#shared/observability/metrics/family.ts';
import type { Observations } from '#shared/observability/metrics/histogram.ts';
import type { CountedAs } from '#shared/request/counted-as.ts';
import { reachedScope } from '#shared/request/reported-verb.ts';
import type { RequestContext, RequestEnd } from '#shared/request/request-context.ts';
import type { RequestedResource } from './deprecated-requests.ts';
import { LongRunningRequests } from './long-running-requests.ts';
import { RequestFamilies } from './request-families.ts';
import { countedVerb, dryRunLabel, fieldValidationLabel, pathScope } from './request-labels.ts';

const component = 'apiserver';
const gatewayTimeout = 504;
/** As whom servers call themselves. */
const ownUser = 'system:apiserver';

/** The counts and observations of requests of the same labels, so that each is found once for a request. */
interface Series {
  /** verb, group, version, resource, subresource, scope, component */
  readonly labels: Labels;
  readonly dryRun: string;
  readonly codes: Map<number, Count>;
  readonly seconds: Observations;
  /** Without what webhooks and queues took; requests of dry runs have none. */
  readonly sliSeconds: Observations | undefined;
  readonly answerBytes: Observations | undefined;
}

/** Counts requests at their end as the reference does (apiserver/pkg/endpoints/metrics). */
export class RequestMetrics {
  readonly #families = new RequestFamilies();
  readonly #longRunning = new LongRunningRequests();
  readonly #series = new TupleMap<Series>(8);
  readonly #all: Series[] = [];
  /** By the label of the resource, the series of its last request: most are like the one before. */
  readonly #last = new Map<string, Series>();

  /** Called when a request begins. */
  begin(context: RequestContext): void {
    if (context.longRunning) this.#longRunning.begin(context);
  }

  /** Records a request at its end, answered or not. */
  record(context: RequestContext): void {
    const endedBy = context.endedBy ?? endOf(context);
    if (endedBy !== undefined) this.#recordEnd(context, endedBy);
    const { countedAs } = context;
    if (countedAs === undefined) return;
    const { exchange } = context;
    const series = this.#seriesOf(context, countedAs);
    const seconds = (performance.now() - context.receivedAtMs) / 1000;
    this.#codeOf(series, exchange.statusCode).value++;
    series.seconds.observe(seconds);
    series.sliSeconds?.observe(seconds - ((context.queuedMs ?? 0) + (context.webhookMs ?? 0)) / 1000);
    series.answerBytes?.observe(exchange.answerBytes);
    if (context.user.name === ownUser) this.#countOwn(series);
    this.#families.fieldValidations.of(fieldValidationLabel(context));
  }

  families(): Family[] {
    return [...this.#families.all(), this.#longRunning.family];
  }

  /** Resources that were requested, since the counts began. */
  *requested(): Iterable<RequestedResource> {
    for (const { labels, seconds } of this.#all) {
      if (seconds.count === 0) continue;
      const [, group = '', version = '', resource = '', subresource = ''] = labels;
      if (resource !== '') yield { group, version, resource, subresource };
    }
  }

  /** What the server refused or ended itself; a refusal by limits counts as a request. */
  #recordEnd(context: RequestContext, endedBy: RequestEnd): void {
    const { info } = context;
    const scope = reachedScope(info);
    const verb = countedVerb(context, scope);
    if (endedBy === 'aborted') {
      this.#families.aborts.add(verb, info.apiGroup, info.apiVersion, info.resource, info.subresource, scope);
      return;
    }
    const code = endedBy === 'dropped' ? '429' : '504';
    // What is done for a request ends with it here.
    if (endedBy === 'deadline') this.#families.postTimeouts.add('timeout-handler', 'ok');
    const { apiGroup, apiVersion, resource } = info;
    const path = info.isResourceRequest ? info.subresource : info.path;
    this.#families.terminations.add(verb, apiGroup, apiVersion, resource, path, scope, component, code);
    if (endedBy !== 'dropped') return;
    const labels = [
      verb,
      dryRunLabel(context),
      apiGroup,
      apiVersion,
      resource,
      info.subresource,
      scope,
      component,
      code,
    ];
    this.#families.total.add(...labels);
  }

  #countOwn({ labels: [verb = '', group = '', , resource = '', subresource = ''] }: Series): void {
    this.#families.ownRequests.add(verb, group, resource, subresource);
  }

  #seriesOf(context: RequestContext, countedAs: CountedAs): Series {
    const dryRun = dryRunLabel(context);
    const labels = labelsOf(context, countedAs);
    const [, , , resource = ''] = labels;
    const last = this.#last.get(resource);
    if (last?.dryRun === dryRun && areEqual(last.labels, labels)) return last;
    const key = [...labels, dryRun];
    let series = this.#series.get(key);
    if (series === undefined) {
      series = this.#newSeries(labels, dryRun);
      if (this.#all.length >= maxSeries) return series;
      this.#series.set(key, series);
      this.#all.push(series);
    }
    this.#last.set(resource, series);
    return series;
  }

  #newSeries(labels: Labels, dryRun: string): Series {
    const families = this.#families;
    const [verb = '', group = '', version = '', resource = '', subresource = '', scope = '', part = ''] = labels;
    const isRead = verb === 'GET' || verb === 'LIST';
    return {
      labels,
      dryRun,
      codes: new Map(),
      seconds: families.seconds.of(verb, dryRun, group, version, resource, subresource, scope, part),
      sliSeconds: dryRun === '' ? families.sliSeconds.at(labels) : undefined,
      answerBytes: isRead ? families.answerBytes.at(labels) : undefined,
    };
  }

  #codeOf({ codes, labels, dryRun }: Series, status: number): Count {
    let count = codes.get(status);
    if (count === undefined) {
      const [verb = '', ...rest] = labels;
      count = this.#families.total.at([verb, dryRun, ...rest, String(status)]);
      codes.set(status, count);
    }
    return count;
  }
}

function areEqual(some: Labels, others: Labels): boolean {
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}

/** A handler that answers at the deadline was ended by it, too. */
function endOf({ exchange, deadlineMs }: RequestContext): RequestEnd | undefined {
  if (exchange.statusCode !== gatewayTimeout || deadlineMs === undefined) return undefined;
  return performance.now() >= deadlineMs ? 'deadline' : undefined;
}

function labelsOf(context: RequestContext, countedAs: CountedAs): string[] {
  const { info } = context;
  if (typeof countedAs === 'object') {
    const { group, version, resource, subresource, component: part } = countedAs;
    return [countedVerb(context, ''), group, version, resource, subresource, '', part];
  }
  const scope = countedAs === 'built-in' ? pathScope(info) : reachedScope(info);
  const isWatch = countedAs === 'built-in' ? info.pathVerb === 'watch' : info.verb === 'watch';
  const verb = isWatch ? 'WATCH' : countedVerb(context, scope);
  return [verb, info.apiGroup, info.apiVersion, info.resource, info.subresource, scope, component];
}
