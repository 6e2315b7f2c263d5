import { readFileSync } from 'node:fs';
import { fieldErrorText, forbidden, invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { parseYaml } from '#shared/serializer/yaml/parse.ts';
import { featureGates } from './feature-gates.ts';
import type { ServerOptions } from './server-options.ts';
import { versionInfo } from './version-info.ts';

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const labelName = '[a-zA-Z_][a-zA-Z0-9_]*';
const allowedKey = new RegExp(`^${metricName},${labelName}$`);
const metrics = path('metrics');

/** Errors of the flags of metrics and of logs (component-base/metrics/api/v1 and component-base/logs/api/v1). */
export function observabilityErrors(options: ServerOptions): string[] {
  return [...metricsErrors(options), ...logErrors(options)].map((error) => fieldErrorText(error));
}

function metricsErrors(options: ServerOptions): FieldError[] {
  const { allowMetricLabels, allowMetricLabelsManifest, disabledMetrics, showHiddenMetricsForVersion } = options;
  const errors: FieldError[] = [];
  const previous = `${versionInfo.major}.${Number(versionInfo.minor) - 1}`;
  if (!['', previous].includes(showHiddenMetricsForVersion)) {
    const must = `must be omitted or have the value '${previous}'; only the previous minor version is allowed`;
    errors.push(invalid(metrics.child('showHiddenMetricsForVersion'), showHiddenMetricsForVersion, must));
  }
  const wrongName = disabledMetrics.find((name) => !new RegExp(`^${metricName}$`).test(name));
  if (wrongName !== undefined) {
    const must = `must be fully qualified metric names matching ${goQuote(`^${metricName}$`)}, got ${goQuote(wrongName)}`;
    errors.push(invalid(metrics.child('disabledMetrics'), [...disabledMetrics], must));
  }
  const hasLabels = Object.keys(allowMetricLabels).length > 0;
  if (hasLabels && allowMetricLabelsManifest !== '') {
    const both = { allowListMapping: allowMetricLabels, allowListMappingManifest: allowMetricLabelsManifest };
    errors.push(invalid(metrics, both, 'cannot specify both allowListMapping and allowListMappingManifest'));
  }
  errors.push(...labelErrors(allowMetricLabels, 'allowListMapping'));
  errors.push(...manifestErrors(allowMetricLabelsManifest));
  return errors;
}

function labelErrors(labels: JsonObject, field: string): FieldError[] {
  if (Object.keys(labels).every((key) => allowedKey.test(key))) return [];
  const must = `must have keys with format \`metricName,labelName\` where metricName matches ${goQuote(metricName)} and labelName matches ${goQuote(labelName)}`;
  return [invalid(metrics.child(field), labels, must)];
}

function manifestErrors(file: string): FieldError[] {
  if (file === '') return [];
  const field = metrics.child('allowListMappingManifest');
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return [invalid(field, file, `failed to read allow list manifest: ${readError(error, file)}`)];
  }
  let labels;
  try {
    labels = parseYaml(bytes).value;
  } catch (error) {
    return [invalid(field, file, `failed to parse allow list manifest: ${(error as Error).message}`)];
  }
  if (!isObject(labels) || Object.values(labels).some((values) => typeof values !== 'string'))
    return [invalid(field, file, 'failed to parse allow list manifest: it must have a text for each key')];
  const wrong = labelErrors(labels, 'allowListMappingManifest');
  if (wrong.length === 0) return [];
  const texts = wrong.map((error) => fieldErrorText(error)).join(' ');
  return [invalid(field, file, `invalid allow list mapping in manifest: [${texts}]`)];
}

function logErrors(options: ServerOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (options.logFlushFrequency <= 0) {
    const shown = formatDuration(BigInt(Math.round(options.logFlushFrequency * 1e6)));
    errors.push(invalid(path('flushFrequency'), shown, 'Must be greater than zero'));
  }
  const isKnown = ['text', 'json'].includes(options.loggingFormat);
  if (!isKnown) errors.push(invalid(path('format'), options.loggingFormat, 'Unsupported log format'));
  if (options.vmodule.length > 0 && options.loggingFormat !== 'text')
    errors.push(forbidden(path('vmodule'), 'Only supported for text log format'));
  if (featureGates(options).gates.isEnabled('LoggingAlphaOptions')) return errors;
  const off = 'Feature LoggingAlphaOptions is disabled';
  const alpha = {
    'options.text.splitStream': options.logTextSplitStream,
    'options.text.infoBufferSize': options.logTextInfoBufferSize !== '0',
    'options.json.splitStream': options.logJsonSplitStream,
    'options.json.infoBufferSize': options.logJsonInfoBufferSize !== '0',
  };
  for (const [field, isGiven] of Object.entries(alpha)) if (isGiven) errors.push(forbidden(path(field), off));
  return errors;
}
