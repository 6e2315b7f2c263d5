import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { cellsOf, count, nameOf, since, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

/** Names that core/v1 and events.k8s.io/v1 give to the same fields. */
interface EventFields {
  readonly first: string;
  readonly last: string;
  readonly count: string;
  readonly source: string;
  readonly object: string;
  readonly message: string;
  readonly controller: string;
}

const CORE: EventFields = {
  first: 'firstTimestamp',
  last: 'lastTimestamp',
  count: 'count',
  source: 'source',
  object: 'involvedObject',
  message: 'message',
  controller: 'reportingComponent',
};
const EVENTS: EventFields = {
  first: 'deprecatedFirstTimestamp',
  last: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  source: 'deprecatedSource',
  object: 'regarding',
  message: 'note',
  controller: 'reportingController',
};

function printFields(event: JsonObject, fields: EventFields): Cell[] {
  const series = objectAt(event, 'series');
  const first = since(textOr(stringAt(event, 'eventTime'), event, fields.first));
  const lastTime = stringAt(event, fields.last);
  const last =
    series !== undefined ? since(stringAt(series, 'lastObservedTime')) : lastTime === '' ? first : since(lastTime);
  const times = count(event, fields.count);
  const kind = stringAt(event, fields.object, 'kind').toLowerCase();
  const name = stringAt(event, fields.object, 'name');
  const component = textOr(stringAt(event, fields.controller), event, fields.source, 'component');
  const instance = textOr(stringAt(event, 'reportingInstance'), event, fields.source, 'host');
  return [
    last,
    stringAt(event, 'type'),
    stringAt(event, 'reason'),
    name === '' ? kind : `${kind}/${name}`,
    stringAt(event, fields.object, 'fieldPath'),
    instance === '' ? component : `${component}, ${instance}`,
    stringAt(event, fields.message).trim(),
    first,
    series !== undefined ? count(series, 'count') : times === 0 ? 1 : times,
    nameOf(event),
  ];
}

export const eventRows: KindRows = {
  print: cellsOf((event) => printFields(event, EVENTS)),
};

/** The same rows for events of the core group, whose fields have other names. */
export const coreEventRows: KindRows = { print: cellsOf((event) => printFields(event, CORE)) };
