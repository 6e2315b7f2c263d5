/** A family as it is exposed, and the values of its samples by labels. */
export interface ExposedFamily {
  readonly help: string;
  readonly type: string;
  readonly labelNames: Set<string>;
  readonly bounds: Set<string>;
  readonly values: Map<string, number>;
}

/** Reads Prometheus' text form. Samples of histograms are those of `_count`, and of `_sum` where that is bytes. */
export function readExposition(text: string): Map<string, ExposedFamily> {
  const families = new Map<string, ExposedFamily>();
  let current: ExposedFamily | undefined;
  let name = '';
  for (const line of text.split('\n')) {
    const [, kind = '', family = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      name = family;
      families.set(
        name,
        (current = { help: rest, type: '', labelNames: new Set(), bounds: new Set(), values: new Map() }),
      );
    } else if (kind === 'TYPE' && current !== undefined) families.set(name, (current = { ...current, type: rest }));
    else if (line !== '' && current !== undefined) addSample(current, name, line);
  }
  return families;
}

function addSample(family: ExposedFamily, name: string, line: string): void {
  const [, sample = '', labels = '', value = ''] = /^([^{ ]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  for (const [, label = '', text = ''] of labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)) {
    if (label === 'le' && family.type === 'histogram') family.bounds.add(text);
    else family.labelNames.add(label);
  }
  if (sample === name || sample === `${name}_count`) family.values.set(labels, Number(value));
  else if (sample === `${name}_sum` && name.endsWith('_bytes')) family.values.set(`${labels} sum`, Number(value));
}
