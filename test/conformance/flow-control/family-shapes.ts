/** Families about flow control and limits, of one answer of `/metrics`: type, label names and buckets of each. */
export function familyShapes(metrics: string): Map<string, string> {
  const shapes = new Map<
    string,
    { readonly type: string; readonly labels: Set<string>; readonly buckets: Set<string> }
  >();
  for (const line of metrics.split('\n')) {
    const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (isOfLimits(name)) shapes.set(name, { type, labels: new Set(), buckets: new Set() });
    const [, sample = '', labels = ''] = /^([a-z_]+)\{(.*)\} /.exec(line) ?? [];
    const shape = shapes.get(sample) ?? shapes.get(sample.replace(/_(?:bucket|sum|count)$/, ''));
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      if (label === 'le') shape?.buckets.add(value);
      else shape?.labels.add(label);
  }
  return new Map(
    [...shapes].map(([name, { type, labels, buckets }]) => [
      name,
      `${type} {${[...labels].join()}} ${[...buckets].join(' ')}`,
    ]),
  );
}

function isOfLimits(name: string): boolean {
  return name.startsWith('apiserver_flowcontrol_') || /^apiserver_current_in(?:flight|queue)_requests$/.test(name);
}
