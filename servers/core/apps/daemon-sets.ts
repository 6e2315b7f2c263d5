import { objectAt, stringAt } from '../../../shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { applyPodTemplateDefaults } from '../core/pod-spec-defaults.ts';

/** DaemonSets (pkg/registry/apps/daemonset). */
export const daemonSetStrategy: Strategy = {
  applyDefaults(daemonSet) {
    const spec = ensureObject(daemonSet, 'spec');
    const update = ensureObject(spec, 'updateStrategy');
    setDefaultText(update, 'type', 'RollingUpdate');
    if (stringAt(update, 'type') === 'RollingUpdate') {
      const rolling = ensureObject(update, 'rollingUpdate');
      setDefault(rolling, 'maxUnavailable', 1);
      setDefault(rolling, 'maxSurge', 0);
    }
    setDefault(spec, 'revisionHistoryLimit', 10);
    applyPodTemplateDefaults(objectAt(spec, 'template'));
  },
};
