export type ExpositionForm = 'text' | 'openmetrics' | 'protobuf';

/** The form that an Accept header asks for first (prometheus/common's expfmt); Prometheus' text form for any other. */
export function negotiateForm(accept: string | undefined): ExpositionForm {
  let best: ExpositionForm = 'text';
  let bestQuality = 0;
  for (const clause of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    const given = new Map(parameters.map((parameter) => splitAt(parameter, '=')));
    const quality = Number(given.get('q') ?? 1);
    const form = formOf(type.toLowerCase(), given);
    if (form === undefined || !(quality > bestQuality)) continue;
    [best, bestQuality] = [form, quality];
  }
  return best;
}

function formOf(type: string, parameters: ReadonlyMap<string, string>): ExpositionForm | undefined {
  const version = parameters.get('version') ?? '';
  switch (type) {
    case 'application/vnd.google.protobuf': {
      const isFamily = parameters.get('proto') === 'io.prometheus.client.MetricFamily';
      return isFamily && parameters.get('encoding') === 'delimited' ? 'protobuf' : undefined;
    }
    case 'application/openmetrics-text':
      return ['', '0.0.1', '1.0.0'].includes(version) ? 'openmetrics' : undefined;
    case 'text/plain':
      return ['', '0.0.4'].includes(version) ? 'text' : undefined;
    default:
      return undefined;
  }
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
