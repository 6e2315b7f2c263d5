import type { ResourceFacts } from '#shared/api/facts.ts';
import { textOfNamedType } from '#shared/apimachinery/errors/field-error-type.ts';
import { forbidden, notSupported, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { newBadRequest, newInvalid } from '#shared/apimachinery/errors/status.ts';
import {
  parseFieldSelector,
  requiredFieldValue,
  transformFields,
  type FieldSelector,
} from '#shared/apimachinery/selectors/fields.ts';
import { EVERYTHING, parseLabelSelector, type LabelSelector } from '#shared/apimachinery/selectors/labels.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import type { QueryParameters } from '#shared/request/query-parameters.ts';
import { fieldLabelTransform } from './field-labels.ts';
import { booleanParameter, int64Parameter, textParameter } from './query-values.ts';

/** `meta.k8s.io` ListOptions, decoded, defaulted and validated. */
export interface ListOptions {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: Int64 | undefined;
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
  /** The selector as the client sent it; empty where shards are not served. */
  readonly shardSelector: string;
}

const noFields: FieldSelector = [];

const plainList: ListOptions = {
  labels: EVERYTHING,
  fields: noFields,
  watch: false,
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  timeoutSeconds: undefined,
  limit: 0,
  continue: '',
  sendInitialEvents: undefined,
  shardSelector: '',
};

/**
 * Reads the options of list, watch and deletecollection.
 * @param forceWatch whether the path is a watch path (`/api/v1/watch/…`)
 * @param shards whether parts of a collection are served (`ShardedListAndWatch`); the shard selector is parsed with the
 *   rest of the selection
 * @throws StatusError 400 for values that cannot be parsed, 422 for invalid combinations
 */
export function* parseListOptions(
  facts: ResourceFacts,
  query: QueryParameters,
  forceWatch: boolean,
  shards: boolean,
): Steps<ListOptions> {
  if (query.size === 0 && !forceWatch) return plainList;
  const timeoutSeconds = int64Parameter(query, 'timeoutSeconds');
  const limit = Number(int64Parameter(query, 'limit') ?? 0);
  const labels = yield* readSelector(parseLabelSelector(textParameter(query, 'labelSelector')));
  const fields = yield* readSelector(parseFieldSelector(textParameter(query, 'fieldSelector')));
  const watch = booleanParameter(query, 'watch') ?? false;
  const options = withWatchDefaults({
    labels,
    fields,
    watch,
    limit,
    timeoutSeconds,
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: textParameter(query, 'resourceVersion'),
    resourceVersionMatch: textParameter(query, 'resourceVersionMatch'),
    continue: textParameter(query, 'continue'),
    sendInitialEvents: booleanParameter(query, 'sendInitialEvents'),
    shardSelector: shards ? textParameter(query, 'shardSelector') : '',
  });
  const errors = options.watch ? validateWatch(options) : validateList(options);
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  const known = yield* readSelector(transformFields(options.fields, fieldLabelTransform(facts)));
  return { ...options, fields: known, watch: options.watch || forceWatch };
}

function* readSelector<T>(reading: Steps<T>): Steps<T> {
  try {
    return yield* reading;
  } catch (error) {
    throw newBadRequest(error instanceof Error ? error.message : String(error));
  }
}

/** A watch without a resource version (or from 0) begins with the current state (WatchList, KEP-3157). */
function withWatchDefaults(options: ListOptions): ListOptions {
  if (!options.watch || options.sendInitialEvents !== undefined || options.resourceVersionMatch !== '') return options;
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

const matchPath = path('resourceVersionMatch');

function validateList(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (match !== '') {
    if (options.resourceVersion === '')
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (options.continue !== '')
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(matchPath, textOfNamedType(match), ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && options.resourceVersion === '0') {
      errors.push(forbidden(matchPath, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined)
    errors.push(forbidden(path('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
  return errors;
}

function validateWatch(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbidden(matchPath, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '') {
    if (options.sendInitialEvents === undefined) {
      errors.push(
        forbidden(matchPath, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
    }
    if (match !== 'NotOlderThan') errors.push(notSupported(matchPath, textOfNamedType(match), ['NotOlderThan']));
    if (options.continue !== '')
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return errors;
}

/**
 * A name in the path or the selector narrows the selection to one object.
 * @throws StatusError 400 when path and selector name different objects
 */
export function narrowToName(options: ListOptions, name: string): ListOptions {
  if (name === '') return options;
  if (options.fields.length === 0)
    return { ...options, fields: [{ field: 'metadata.name', operator: '=', value: name }] };
  if (requiredFieldValue(options.fields, 'metadata.name') !== name) {
    throw newBadRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return options;
}
