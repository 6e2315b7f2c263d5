import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';

/** The maximum int32, which counts as no limit. */
const noLimit = 2_147_483_647;

/**
 * Defaults of removed versions that differ from those of the served versions (pkg/apis/apps/v1beta1 and
 * pkg/apis/extensions/v1beta1, defaults.go). The common defaults are set by the served version afterwards.
 */
const oldDefaults: ReadonlyMap<string, (object: JsonObject) => void> = new Map([
  [
    'apps/v1beta1 Deployment',
    (object) => {
      fromTemplate(object);
      setDefault(ensureObject(object, 'spec'), 'revisionHistoryLimit', 2);
    },
  ],
  [
    'apps/v1beta1 StatefulSet',
    (object) => {
      fromTemplate(object);
      onDelete(object);
    },
  ],
  [
    'extensions/v1beta1 DaemonSet',
    (object) => {
      fromTemplate(object);
      onDelete(object);
    },
  ],
  [
    'extensions/v1beta1 Deployment',
    (object) => {
      fromTemplate(object);
      const spec = ensureObject(object, 'spec');
      setDefault(spec, 'progressDeadlineSeconds', noLimit);
      setDefault(spec, 'revisionHistoryLimit', noLimit);
      const strategy = ensureObject(spec, 'strategy');
      setDefaultText(strategy, 'type', 'RollingUpdate');
      if (strategy['type'] !== 'RollingUpdate' && !isObject(strategy['rollingUpdate'])) return;
      const rolling = ensureObject(strategy, 'rollingUpdate');
      setDefault(rolling, 'maxUnavailable', 1);
      setDefault(rolling, 'maxSurge', 1);
    },
  ],
  ['extensions/v1beta1 ReplicaSet', fromTemplate],
]);

/** Defaults selector and labels to the labels of the pod template. */
function fromTemplate(object: JsonObject): void {
  const labels = objectAt(object, 'spec', 'template', 'metadata', 'labels');
  if (labels === undefined) return;
  setDefault(ensureObject(object, 'spec'), 'selector', { matchLabels: { ...labels } });
  const metadata = ensureObject(object, 'metadata');
  if (Object.keys(objectAt(metadata, 'labels') ?? {}).length === 0) metadata['labels'] = { ...labels };
}

function onDelete(object: JsonObject): void {
  setDefaultText(ensureObject(ensureObject(object, 'spec'), 'updateStrategy'), 'type', 'OnDelete');
}

/** Sets the defaults of a removed version, before the object is read in a served version. */
export function applyOldDefaults(apiVersion: string, kind: string, object: JsonObject): void {
  oldDefaults.get(`${apiVersion} ${kind}`)?.(object);
}
