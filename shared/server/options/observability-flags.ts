import { boolKind, intKind, quantityKind, stringKind, stringPairsKind, stringsKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';
import { fileLevelsKind } from './level-kinds.ts';

const metrics = 'Metrics';
const logs = 'Logs';
const features = 'Features';
const misc = 'Misc';

/** Flags of metrics, logs, traces and profiles. */
export const observabilityFlags = {
  allowMetricLabels: flag(
    stringPairsKind,
    metrics,
    {},
    'Values that a label may have, as family,label=value,value; other values are counted as unexpected. Repeatable.',
  ),
  allowMetricLabelsManifest: flag(stringKind, metrics, '', 'File with such values. It excludes --allow-metric-labels.'),
  contentionProfiling: flag(boolKind, features, false, 'Whether waiting for locks is profiled.'),
  debugSocketPath: flag(stringKind, features, '', 'Unix socket that serves profiles to those who may open it.'),
  disabledMetrics: flag(stringsKind, metrics, [], 'Families of metrics that are turned off.'),
  enableLogsHandler: flag(boolKind, misc, false, 'Whether /logs serves the files of /var/log. Deprecated.'),
  enablePriorityAndFairness: flag(
    boolKind,
    features,
    true,
    'Whether requests wait in the queues of flow control instead of being refused by --max-requests-inflight.',
  ),
  logJsonInfoBufferSize: flag(
    quantityKind,
    logs,
    '0',
    'Bytes of information messages that are kept back in JSON form.',
  ),
  logJsonSplitStream: flag(
    boolKind,
    logs,
    false,
    'Whether JSON errors go to the standard error stream and the rest to the standard output.',
  ),
  logTextInfoBufferSize: flag(
    quantityKind,
    logs,
    '0',
    'Bytes of information messages that are kept back in text form.',
  ),
  logTextSplitStream: flag(
    boolKind,
    logs,
    false,
    'Whether text errors go to the standard error stream and the rest to the standard output.',
  ),
  maxConnectionBytesPerSec: flag(
    intKind,
    misc,
    0,
    'Bytes a second of each connection of a user to a node; 0 for no limit.',
  ),
  showHiddenMetricsForVersion: flag(
    stringKind,
    metrics,
    '',
    'The release before this one, to show the metrics that were hidden since.',
  ),
  tracingConfigFile: flag(
    stringKind,
    'Traces',
    '',
    'File with a TracingConfiguration: where spans are sent, and how many.',
  ),
  vmodule: flag(fileLevelsKind, logs, [], 'Levels by source file, as pattern=N,pattern=N.'),
};
