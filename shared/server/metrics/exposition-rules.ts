import { readFileSync } from 'node:fs';
import type { AllowedLabels } from '#shared/observability/exposition/allowed-labels.ts';
import type { ExpositionRules } from '#shared/observability/exposition/shown-families.ts';
import { parseYaml } from '#shared/serializer/yaml/parse.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { versionInfo } from '#shared/server/options/version-info.ts';

/** What valid flags say about metrics (component-base/metrics/options.go). */
export function expositionRules(options: ServerOptions): ExpositionRules {
  const { allowMetricLabels, allowMetricLabelsManifest: file } = options;
  const written = file === '' ? allowMetricLabels : (parseYaml(readFileSync(file)).value as Record<string, string>);
  return {
    disabled: new Set(options.disabledMetrics.filter((name) => name !== '')),
    allowed: allowedLabels(written),
    showsHidden: options.showHiddenMetricsForVersion !== '',
    minor: Number(versionInfo.minor),
  };
}

/** @param written values, separated by commas, by `family,label` */
function allowedLabels(written: Readonly<Record<string, string>>): Map<string, AllowedLabels> {
  const families = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [key, values] of Object.entries(written)) {
    const [family = '', label = ''] = key.split(',');
    const labels = families.get(family) ?? new Map<string, ReadonlySet<string>>();
    families.set(family, labels.set(label, new Set(values.split(','))));
  }
  return families;
}
