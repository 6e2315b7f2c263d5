import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';
import type { OldVersionDefaults } from '#shared/registry/strategy.ts';

/** The maximum int32, which counts as no limit. */
const noLimit = 2_147_483_647;

// Where the defaults of removed versions differ from those of the served versions (pkg/apis/apps/v1beta1 and
// pkg/apis/extensions/v1beta1, defaults.go).

export const oldDeploymentDefaults: OldVersionDefaults = new Map([
  [
    'apps/v1beta1',
    (deployment) => {
      fromTemplate(deployment);
      setDefault(ensureObject(deployment, 'spec'), 'revisionHistoryLimit', 2);
    },
  ],
  [
    'extensions/v1beta1',
    (deployment) => {
      fromTemplate(deployment);
      const spec = ensureObject(deployment, 'spec');
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
]);

export const oldStatefulSetDefaults: OldVersionDefaults = new Map([['apps/v1beta1', updatedOnDelete]]);

export const oldDaemonSetDefaults: OldVersionDefaults = new Map([['extensions/v1beta1', updatedOnDelete]]);

export const oldReplicaSetDefaults: OldVersionDefaults = new Map([['extensions/v1beta1', fromTemplate]]);

/** Defaults selector and labels to the labels of the pod template. */
function fromTemplate(workload: JsonObject): void {
  const labels = objectAt(workload, 'spec', 'template', 'metadata', 'labels');
  if (labels === undefined) return;
  setDefault(ensureObject(workload, 'spec'), 'selector', { matchLabels: { ...labels } });
  const metadata = ensureObject(workload, 'metadata');
  if (Object.keys(objectAt(metadata, 'labels') ?? {}).length === 0) metadata['labels'] = { ...labels };
}

function updatedOnDelete(workload: JsonObject): void {
  fromTemplate(workload);
  setDefaultText(ensureObject(ensureObject(workload, 'spec'), 'updateStrategy'), 'type', 'OnDelete');
}
